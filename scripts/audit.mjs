/** Known vulnerabilities of the production dependencies, as `npm audit` reports them. */
import { spawnSync } from 'node:child_process'
import { root } from './prepare.mjs'

/**
 * Throws where a production dependency has a known vulnerability of severity high or more. Where the registry cannot be
 * reached or offers no audit, it returns why the step is skipped.
 */
export function audit() {
  const options = ['--omit=dev', '--audit-level=high', '--json', '--fetch-retries=0', '--fetch-timeout=15000']
  const { stdout, stderr } = spawnSync('npm', ['audit', ...options], { cwd: root, encoding: 'utf8' })
  const report = reportIn(stdout)
  if (!report?.metadata?.vulnerabilities) {
    const reason = report?.message ?? stderr.trim().split('\n').at(-1) ?? 'no response'
    return `no audit is available (${reason})`
  }
  const { high, critical, total } = report.metadata.vulnerabilities
  console.log(
    `${total} known vulnerabilities in production dependencies, ${high + critical} of them high or critical`,
  )
  for (const { name, severity, range } of Object.values(report.vulnerabilities))
    console.log(`  ${severity}: ${name} ${range}`)
  if (high + critical > 0) throw new Error('npm audit found vulnerabilities of severity high or critical')
  return undefined
}

function reportIn(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
