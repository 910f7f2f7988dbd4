/**
 * Asks the registry whether anything of what ships is known to be unsafe; development tools are left out. Fails at
 * severity high. A registry that offers no audit, or none at all, is no failure: it is said and passed over.
 */
import { spawnSync } from 'node:child_process'
import { root } from './prepare.mjs'

const options = ['--omit=dev', '--audit-level=high', '--json', '--fetch-retries=0', '--fetch-timeout=15000']
const { stdout, stderr } = spawnSync('npm', ['audit', ...options], { cwd: root, encoding: 'utf8' })
const report = reportIn(stdout)

if (!report?.metadata?.vulnerabilities) {
  const reason = report?.message ?? stderr.trim().split('\n').at(-1) ?? 'no answer'
  console.log(`skipped: the registry offers no audit here (${reason})`)
} else {
  const { high, critical, total } = report.metadata.vulnerabilities
  console.log(`${total} known weaknesses in what ships, ${high + critical} of them high or critical`)
  for (const { name, severity, range } of Object.values(report.vulnerabilities))
    console.log(`  ${severity}: ${name} ${range}`)
  if (high + critical > 0) process.exit(1)
}

function reportIn(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
