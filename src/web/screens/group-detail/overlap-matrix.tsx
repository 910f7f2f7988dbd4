/** Who shares how many games with whom in a group (GPAGE-32), folded until it is asked for. */
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState, useTransition } from 'react'
import type { GroupMember, GroupOverlap } from '#shared/entities.ts'
import { groupOverlapQuery } from '../../data/group-overlap.ts'
import { groupOverlap as texts } from '../../more-messages.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Name, nameOf } from '../../ui/name.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { Loading, Skeleton } from '../../ui/skeletons.tsx'
import { closestPair } from './closest-pair.ts'
import { formatNumber } from '../../format.ts'

/** Members shown until all are asked for: a hundred have ten thousand cells. */
const SHOWN = 16

export function OverlapMatrix({ groupId, members }: { groupId: number; members: readonly GroupMember[] }) {
  const [isOpen, setOpen] = useState(false)
  const query = useQuery({ ...groupOverlapQuery(groupId), enabled: isOpen })
  return (
    <Fold title={texts.title} onToggle={setOpen}>
      <Loaded query={query} failed={texts.failed} skeleton={<MatrixSkeleton />}>
        {(overlap) =>
          overlap.members.length < 2 ? (
            <p className="text-sm text-soft">{texts.tooFew}</p>
          ) : (
            <Matrix overlap={overlap} members={members} />
          )
        }
      </Loaded>
    </Fold>
  )
}

type Person = Pick<GroupMember, 'steam_id' | 'display_name' | 'avatar_url'>

function Matrix({ overlap, members }: { overlap: GroupOverlap; members: readonly GroupMember[] }) {
  const { common } = overlap
  const [isAllShown, showAll] = useState(false)
  const [isDrawing, startDrawing] = useTransition()
  const people = useMemo(() => {
    const known = new Map<string, Person>(members.map((member) => [member.steam_id, member]))
    return overlap.members.map(
      ({ steam_id }) => known.get(steam_id) ?? { steam_id, display_name: null, avatar_url: null },
    )
  }, [overlap.members, members])
  const closest = useMemo(() => closestPair(common), [common])
  const shown = isAllShown ? people : people.slice(0, SHOWN)
  const missing = members.length - people.length

  return (
    <>
      <p className="text-sm text-soft">
        {closest ? (
          <Sentence
            text={texts.most}
            values={{
              first: <Name className="font-semibold text-ink">{nameOf(people[closest.one]!)}</Name>,
              second: <Name className="font-semibold text-ink">{nameOf(people[closest.other]!)}</Name>,
              games: closest.games,
            }}
          />
        ) : (
          texts.noneShared
        )}{' '}
        {texts.hint} {missing > 0 && texts.missing({ members: missing })}
      </p>
      <div
        role="region"
        aria-label={texts.title}
        // It scrolls in itself, so it must be reachable by keys.
        tabIndex={0}
        className="max-h-[75dvh] w-fit max-w-full overflow-auto rounded-card border border-line/70 bg-surface/70"
      >
        <table className="border-separate border-spacing-0.5 text-sm tabular-nums">
          <caption className="sr-only">{texts.hint}</caption>
          <thead>
            <tr>
              <th scope="col" className="sticky top-0 left-0 z-20 bg-surface text-left">
                <span className="sr-only">{texts.member}</span>
              </th>
              {shown.map((person) => (
                <th
                  key={person.steam_id}
                  scope="col"
                  title={nameOf(person)}
                  className="sticky top-0 z-10 bg-surface p-1.5 align-bottom font-medium"
                >
                  {/* From bottom to top: pictures alone say little, and a column has no room for words. */}
                  <span className="grid justify-items-center gap-2">
                    <Name className="max-h-28 rotate-180 truncate leading-none [writing-mode:vertical-rl]">
                      {nameOf(person)}
                    </Name>
                    <Avatar src={person.avatar_url} size="small" />
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((person, row) => (
              <tr key={person.steam_id} className="group/row">
                <th
                  scope="row"
                  className="sticky left-0 z-10 bg-surface py-1 pr-3 pl-2 text-left font-medium group-hover/row:text-mint-bright"
                >
                  <span className="flex w-24 items-center gap-2.5 sm:w-40 2xl:w-48">
                    {/* On a phone the name takes its room. */}
                    <Avatar src={person.avatar_url} size="small" className="max-sm:hidden" />
                    <Name className="line-clamp-2 min-w-0 leading-tight break-words">{nameOf(person)}</Name>
                  </span>
                </th>
                {shown.map((other, column) => (
                  <Cell
                    key={other.steam_id}
                    games={common[row]![column]!}
                    most={closest?.games ?? 0}
                    isOwn={row === column}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < people.length && (
        <Button
          className="justify-self-start"
          busy={isDrawing}
          onClick={() => startDrawing(() => showAll(true))}
        >
          {texts.showAll({ members: people.length })}
        </Button>
      )}
    </>
  )
}

/** The strongest colour of a cell, in percent, on which its number still has a contrast of 5:1. */
const STRONGEST = 45

/** @param most the largest number of games that two members share */
function Cell({ games, most, isOwn }: { games: number; most: number; isOwn: boolean }) {
  const strength = isOwn || most === 0 ? 0 : (games / most) * STRONGEST
  return (
    <td
      className={`h-11 min-w-12 rounded-chip px-1.5 text-center ${
        isOwn ? 'border border-line/70 text-soft' : 'font-semibold'
      }`}
      style={{
        backgroundColor: `color-mix(in srgb, var(--color-mint) ${strength.toFixed(1)}%, transparent)`,
      }}
    >
      {formatNumber(games)}
    </td>
  )
}

function MatrixSkeleton() {
  return (
    <Loading>
      <Skeleton className="h-64 max-w-2xl rounded-card" />
    </Loading>
  )
}
