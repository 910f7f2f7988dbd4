/**
 * Runs `npm audit` on the production dependencies and fails from severity high. If the registry cannot be reached or
 * offers no audit, that is printed and the step passes.
 */
import { spawnSync } from 'node:child_process'
import { root } from './prepare.mjs'

const options = ['--omit=dev', '--audit-level=high', '--json', '--fetch-retries=0', '--fetch-timeout=15000']
const { stdout, stderr } = spawnSync('npm', ['audit', ...options], { cwd: root, encoding: 'utf8' })
const report = reportIn(stdout)

if (!report?.metadata?.vulnerabilities) {
  const reason = report?.message ?? stderr.trim().split('\n').at(-1) ?? 'no response'
  console.log(`skipped: no audit is available (${reason})`)
} else {
  const { high, critical, total } = report.metadata.vulnerabilities
  console.log(
    `${total} known vulnerabilities in production dependencies, ${high + critical} of them high or critical`,
  )
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
