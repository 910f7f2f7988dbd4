/** What helps where game details are private: one's own setting, or a message for whom it concerns (NIGHT-132, NIGHT-133). */
import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import type { Player } from '#shared/entities.ts'
import { copying, privateHelp as text } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { Button } from '../forms/button.tsx'
import { CopyText, writeClipboard } from '../forms/copy-text.tsx'
import { Name, nameOf } from './name.tsx'
import { Sentence } from '../words/sentence.tsx'
import { STEAM_PRIVACY, SteamPrivacyLink } from './steam-privacy.tsx'

/** @param people whose game details are private; may have me among them */
export function PrivateHelp({ people }: { people: readonly Pick<Player, 'steam_id' | 'display_name'>[] }) {
  const { steamId: me } = useSignedIn()
  return (
    <div className="mt-1.5 grid justify-items-start gap-2">
      {people.map((person) =>
        person.steam_id === me ? (
          <SteamPrivacyLink key={me} />
        ) : (
          <MessageFor key={person.steam_id} name={nameOf(person)} />
        ),
      )}
    </div>
  )
}

function MessageFor({ name }: { name: string }) {
  const [result, setResult] = useState<'copied' | 'failed'>()
  const message = text.message({ name: oneLine(name), settings: STEAM_PRIVACY, here: window.location.origin })
  if (result === 'failed')
    return (
      <div className="w-full">
        <CopyText label={text.copy({ name })} copy={text.copyAgain} value={message} isLong />
      </div>
    )
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3">
      <Button
        icon={result ? <Check aria-hidden /> : <Copy aria-hidden />}
        className="min-w-0 text-left wrap-anywhere"
        onClick={() => void writeClipboard(message).then((done) => setResult(done ? 'copied' : 'failed'))}
      >
        <span>
          <Sentence text={text.copy} values={{ name: <Name className="inline!">{name}</Name> }} />
        </span>
      </Button>
      <p role="status" className="text-sm text-mint">
        {result && copying.copied}
      </p>
    </div>
  )
}

/** A name with a line break would look like the end of the message. */
const oneLine = (name: string) => name.replace(/\s+/gu, ' ').trim()
