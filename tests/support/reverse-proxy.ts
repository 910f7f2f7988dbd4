/**
 * A small reverse proxy that follows the rules of a Caddyfile: what it responds to itself, its upstreams, retries and
 * forwarding headers, as Caddy documents them. For tests on machines without Caddy.
 */
import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

type Rules = {
  /** Status by path, of what is not passed on. */
  responds: Map<string, number>
  /** Upstreams as the file names them. */
  upstreams: string[]
  /** How long another upstream is tried, in milliseconds. */
  tryMs: number
}

/**
 * Reads the rules of a site that this proxy knows.
 * @param env what `{$NAME}` in the text stands for
 * @throws Error for any other rule
 */
export function readCaddyfile(template: string, env: Record<string, string>): Rules {
  const text = template.replace(
    /\{\$(\w+)(?::([^}]*))?\}/g,
    (_match, name: string, other: string | undefined) => env[name] ?? other ?? '',
  )
  const rules: Rules = { responds: new Map(), upstreams: [], tryMs: 0 }
  const matchers = new Map<string, string[]>()
  for (const line of text.split('\n').map((each) => each.trim())) {
    const [word = '', ...rest] = line.split(/\s+/)
    if (line === '' || word.startsWith('#') || word === '}' || rest.at(-1) === '{') {
      if (word === 'reverse_proxy') rules.upstreams = rest.filter((each) => each !== '{')
    } else if (word.startsWith('@') && rest[0] === 'path') matchers.set(word, rest.slice(1))
    else if (word === 'respond')
      for (const path of matchers.get(rest[0]!)!) rules.responds.set(path, Number(rest[1]))
    else if (word === 'reverse_proxy') rules.upstreams = rest
    else if (word === 'lb_try_duration') rules.tryMs = 1000 * Number.parseInt(rest[0]!, 10)
    else if (!/^(lb_policy|fail_duration|max_fails|health_uri|health_interval)$/.test(word))
      throw new Error(`this proxy does not know the rule "${line}"`)
  }
  return rules
}

type Options = {
  rules: Rules
  /** Where an upstream is on this machine, by its name in the rules. */
  addressOf: (upstream: string) => string
  port?: number
  /** The scheme that clients use, as if this proxy ended TLS. */
  scheme?: 'http' | 'https'
}

/** Starts the proxy on 127.0.0.1; the caller closes it. `served`: the upstream of each response, in order. */
export async function startReverseProxy({ rules, addressOf, port = 0, scheme = 'http' }: Options) {
  const agent = new Agent({ keepAlive: true })
  const served: string[] = []
  let turn = 0

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const path = decodeURIComponent(new URL(incoming.url ?? '/', 'http://proxy').pathname).toLowerCase()
    const status = rules.responds.get(path)
    if (status !== undefined) return void outgoing.writeHead(status).end()
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const until = performance.now() + rules.tryMs
    for (;;) {
      const upstream = rules.upstreams[turn++ % rules.upstreams.length]!
      try {
        const response = await send(incoming, Buffer.concat(chunks), addressOf(upstream))
        served.push(upstream)
        outgoing.writeHead(response.statusCode!, response.headers)
        outgoing.flushHeaders()
        outgoing.once('close', () => response.destroy())
        return void response.on('error', () => outgoing.destroy()).pipe(outgoing)
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        const isSafe = code === 'ECONNREFUSED' || incoming.method === 'GET'
        if (!isSafe || performance.now() > until) return void outgoing.writeHead(502).end(String(code))
        await pause(20)
      }
    }
  }

  function send(incoming: IncomingMessage, body: Buffer, address: string): Promise<IncomingMessage> {
    const { host = '', ...headers } = incoming.headers
    const sent = request(`${address}${incoming.url}`, {
      agent,
      method: incoming.method,
      headers: {
        ...headers,
        host,
        'x-forwarded-for': incoming.socket.remoteAddress,
        'x-forwarded-host': host,
        'x-forwarded-proto': scheme,
      },
    })
    return new Promise((resolve, reject) => {
      sent.once('response', resolve).once('error', reject)
      sent.end(body)
    })
  }

  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => outgoing.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    served,
    close: async () => {
      server.close()
      server.closeAllConnections()
      agent.destroy()
      await once(server, 'close')
    },
  }
}
