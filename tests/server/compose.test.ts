/** DEPL-2: the rights, limits, ports and secrets that the compose files give. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8')

type Service = {
  environment?: Record<string, string>
  secrets?: string[]
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  ports?: string[]
  mem_limit?: string
  cpus?: number
  pids_limit?: number
  networks?: { default: { ipv4_address: string } }
}
type Compose = {
  services: Record<string, Service>
  secrets?: Record<string, { file: string }>
}

/** A compose file, with the defaults of its variables. */
const composeOf = (name: string): Compose =>
  parse(read(name).replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1'), { merge: true }) as Compose

describe.each(['compose.yaml', 'compose.demo.yaml'])('DEPL-2: %s', (name) => {
  const { services, secrets = {} } = composeOf(name)

  test.each(Object.keys(services))('DEPL-2: %s has no rights that it does not need', (service) => {
    const { read_only, cap_drop, security_opt, mem_limit, cpus, pids_limit } = services[service]!
    expect({ read_only, cap_drop, security_opt }).toEqual({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
    for (const limit of [mem_limit, cpus, pids_limit]) expect(limit).toBeDefined()
  })

  test('DEPL-2: only the proxy is published, and it alone is trusted', () => {
    for (const [service, { ports, environment = {} }] of Object.entries(services)) {
      expect(ports !== undefined).toBe(service === 'proxy')
      if (service.startsWith('web'))
        expect(environment.TRUST_PROXY).toBe(services.proxy!.networks!.default.ipv4_address)
    }
    expect(services.proxy!.environment!.UPSTREAMS!.split(' ')).toEqual(
      Object.keys(services)
        .filter((service) => service.startsWith('web'))
        .map((service) => `${service}:3000`),
    )
  })

  test('DEPL-2: secrets are in files, never in the environment', () => {
    for (const { environment = {}, secrets: used = [] } of Object.values(services)) {
      for (const [variable, value] of Object.entries(environment))
        if (/KEY|TOKEN|PASSWORD/.test(variable)) {
          expect(variable).toMatch(/_FILE$/)
          expect(used).toContain(value.replace('/run/secrets/', ''))
        }
      for (const secret of used) expect(secrets[secret]!.file).toMatch(/^\.\/secrets\//)
    }
    expect(read('.gitignore').split('\n')).toContain('/secrets/')
  })
})
