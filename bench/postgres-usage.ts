/** CPU time of a PostgreSQL cluster of this machine (Linux only). */
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'

/** Clock ticks per second of /proc/{pid}/stat. */
const TICKS_PER_SECOND = 100

/**
 * Returns a function that gives the milliseconds of CPU time of the cluster at `url` since its start: of its processes,
 * and of those that have ended.
 */
export async function postgresCpu(url: string): Promise<() => number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const postmaster = statOf(rows[0]!.pid)?.parent
  await client.end()
  if (postmaster === undefined) throw new Error('PostgreSQL must run on this machine')
  return () => {
    let ticks = 0
    for (const name of readdirSync('/proc')) {
      const stat = /^\d+$/.test(name) ? statOf(Number(name)) : undefined
      if (stat?.pid === postmaster) ticks += stat.own + stat.endedChildren
      else if (stat?.parent === postmaster) ticks += stat.own
    }
    return (ticks * 1000) / TICKS_PER_SECOND
  }
}

/** Undefined when the process has ended. */
function statOf(pid: number) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // After the name of the program, which may contain spaces: state, parent, and from the 12th field on the times.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    return {
      pid,
      parent: fields[1]!,
      own: fields[11]! + fields[12]!,
      endedChildren: fields[13]! + fields[14]!,
    }
  } catch {
    return undefined
  }
}
