/** The figures of the operator's page (OPER-4). */
import type { ReactNode } from 'react'
import type { Overview } from '#shared/contract/operator.ts'
import { operator as texts } from '../../more-messages.ts'
import { Card } from '../../ui/card.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { formatNumber } from '../../format.ts'

/** Figures with their names, as a list of definitions. */
function Figures({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid gap-x-6 divide-y divide-line/50">
      {rows.map(([name, value]) => (
        <div key={name} className="flex min-h-11 items-center justify-between gap-4">
          <dt className="text-sm text-soft">{name}</dt>
          <dd className="text-right font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function bytesText(bytes: number): string {
  return bytes >= 2 ** 30
    ? texts.gigabytes({
        size: formatNumber(bytes / 2 ** 30, { maximumFractionDigits: 1, minimumFractionDigits: 1 }),
      })
    : texts.megabytes({ size: formatNumber(Math.ceil(bytes / 2 ** 20)) })
}

export function PeopleCard({ overview: { people, groups, nights } }: { overview: Overview }) {
  return (
    <Card title={texts.people}>
      <Figures
        rows={[
          [texts.signedIn, formatNumber(people.signed_in)],
          [texts.activeWeek, formatNumber(people.active_7_days)],
          [texts.activeMonth, formatNumber(people.active_30_days)],
          [texts.groups, formatNumber(groups)],
          [texts.nights, formatNumber(nights)],
        ]}
      />
    </Card>
  )
}

export function WorkCard({
  overview: { platform, refresh_list: refreshes, outbox },
}: {
  overview: Overview
}) {
  return (
    <Card title={texts.work}>
      <Figures
        rows={[
          [texts.callsUsed, formatNumber(platform.used_today)],
          [texts.callsLeft, formatNumber(platform.left_today)],
          ...(platform.blocked_until === null
            ? []
            : [[texts.blockedUntil, <RelativeTime key="until" time={platform.blocked_until} />] as const]),
          [texts.waiting, formatNumber(refreshes.waiting)],
          [texts.failing, formatNumber(refreshes.failing)],
          [
            texts.oldest,
            refreshes.oldest_at === null ? (
              texts.nothingWaits
            ) : (
              <RelativeTime key="oldest" time={refreshes.oldest_at} />
            ),
          ],
          [texts.outbox, formatNumber(outbox)],
        ]}
      />
    </Card>
  )
}

export function StorageCard({ overview: { storage } }: { overview: Overview }) {
  return (
    <Card title={texts.storage}>
      <Figures
        rows={[
          [texts.database, bytesText(storage.database_bytes)],
          [texts.pictures, formatNumber(storage.pictures)],
          [texts.pictureBytes, bytesText(storage.picture_bytes)],
        ]}
      />
    </Card>
  )
}

export function ServersCard({ overview: { servers } }: { overview: Overview }) {
  return (
    <Card title={texts.servers}>
      <p className="text-sm text-soft">{texts.serversHint}</p>
      <ul aria-label={texts.servers} className="grid divide-y divide-line/50">
        {servers.map((server) => (
          <li key={server.server_id} className="grid gap-0.5 py-2.5">
            <p className="font-medium break-all">
              {server.server_id}
              {server.current && <span className="text-mint"> · {texts.thisServer}</span>}
            </p>
            <p className="text-sm text-soft">
              {texts.version({ version: server.version })} · {bytesText(server.memory_bytes)} ·{' '}
              <Sentence text={texts.started} values={{ time: <RelativeTime time={server.started_at} /> }} /> ·{' '}
              <Sentence text={texts.seen} values={{ time: <RelativeTime time={server.seen_at} /> }} />
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )
}

export function ErrorsCard({ overview: { errors } }: { overview: Overview }) {
  return (
    <Card title={texts.errors}>
      <p className="text-sm text-soft">{errors.length === 0 ? texts.noErrors : texts.errorsHint}</p>
      {errors.length > 0 && (
        <ul aria-label={texts.errors} className="grid divide-y divide-line/50">
          {errors.map(({ status, code, route, count, last_at }) => (
            <li key={`${status} ${code} ${route}`} className="flex flex-wrap justify-between gap-x-4 py-2.5">
              <p className="min-w-0 break-all">
                <span className={`font-semibold tabular-nums ${status >= 500 ? 'text-rose' : ''}`}>
                  {status} {code}
                </span>{' '}
                <span className="text-sm text-soft">{route}</span>
              </p>
              <p className="text-sm text-soft tabular-nums">
                <Sentence text={texts.times} values={{ count, time: <RelativeTime time={last_at} /> }} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
