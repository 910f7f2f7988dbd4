/** PUSH-8: what devices show, in both languages; tests/server/push.test.ts has when they do. */
import { expect, test } from 'vitest'
import { pseudoLanguages } from '../../../tests/support/pseudo-language.ts'
import { type Notice, noticeKinds } from '../storage/notifications/notifications.ts'
import { createTexts, textsOf } from '../texts/texts.ts'
import { notificationOf } from './push.ts'

const NOW = Date.UTC(2026, 5, 5, 12)
const HOUR = 3_600_000

type Change = Partial<Omit<Notice, 'night' | 'group'> & NonNullable<Notice['night']>> & {
  group?: string | null
}
const notice = ({ group = 'Friday crew', ...change }: Change): Notice => {
  const night = { night_id: 12, title: null, starts_at: NOW + HOUR / 2, status: 'open', planned: 1 } as const
  return {
    ...{ kind: 'asked', pick: 730, subscription: {} as Notice['subscription'], language: null },
    ...{ discreet: false, hasAnswered: true, host: 'Mira' },
    ...change,
    night: { ...night, zone: 'Europe/Berlin', ...change },
    group: group === null ? undefined : { group_id: 7, name: group },
  }
}
const shown = (change: Change, language: 'en' | 'de', game: string | null = 'Portal 2') =>
  notificationOf(notice(change), { texts: textsOf(language), game, now: NOW })
const bodies = (change: Change, language: 'en' | 'de') =>
  Object.fromEntries(noticeKinds.map((kind) => [kind, shown({ ...change, kind }, language).body]))

test('PUSH-8: every kind in English', () => {
  const when = 'Friday 5 June at 14:30, GMT+2'
  expect(bodies({}, 'en')).toEqual({
    asked: `Mira asks you to play: ${when}`,
    moved: `New time: ${when}`,
    dated: `The date was found: ${when}`,
    cancelled: `It is cancelled. It was planned for ${when}.`,
    hosting: 'Its host has left. You host it now.',
    owner: 'You own this group now.',
    vote: 'The vote is on, and you have not voted yet.',
    picked: 'You play Portal 2.',
    starting: 'It starts in 30 minutes: Portal 2',
  })
  expect(shown({ kind: 'starting', starts_at: NOW + 1000 }, 'en', null).body).toBe('It starts in 1 minute.')
  expect(shown({ host: null }, 'en').body).toBe(`You are asked to play: ${when}`)
  const now = { starts_at: NOW }
  expect([shown(now, 'en').body, shown({ ...now, host: null }, 'en').body]).toEqual([
    'Mira asks you to play now.',
    'You are asked to play now.',
  ])
  expect(shown({ ...now, kind: 'moved' }, 'en').body).toBe('It starts now.')
})

test('PUSH-8: every kind in German', () => {
  const when = 'Freitag, 5. Juni um 14:30 Uhr, MESZ'
  expect(bodies({}, 'de')).toEqual({
    asked: `Mira fragt, ob du dabei bist: ${when}`,
    moved: `Neue Zeit: ${when}`,
    dated: `Der Termin steht fest: ${when}`,
    cancelled: `Der Spieleabend wurde abgesagt. Geplant war ${when}.`,
    hosting: 'Wer eingeladen hat, ist nicht mehr dabei. Jetzt leitest du den Spieleabend.',
    owner: 'Diese Gruppe gehört jetzt dir.',
    vote: 'Die Abstimmung läuft, und du hast noch nicht abgestimmt.',
    picked: 'Gespielt wird Portal 2.',
    starting: 'In 30 Minuten geht es los: Portal 2',
  })
  expect(bodies({ discreet: true }, 'de')).toEqual({
    asked: 'Du bist zu einem Spieleabend eingeladen.',
    moved: 'Ein Spieleabend wurde verschoben.',
    dated: 'Der Termin für einen Spieleabend steht fest.',
    cancelled: 'Ein Spieleabend wurde abgesagt.',
    hosting: 'Du leitest jetzt einen Spieleabend.',
    owner: 'Dir gehört jetzt eine Gruppe.',
    vote: 'Eine Abstimmung läuft, und du hast noch nicht abgestimmt.',
    picked: 'Ein Spiel wurde gewählt.',
    starting: 'Ein Spieleabend beginnt in 30 Minuten.',
  })
})

test('LANG-5, PUSH-8: in the language that nobody wrote no notification has plain English', () => {
  const texts = createTexts(pseudoLanguages())('en')
  const told = noticeKinds.flatMap((kind) =>
    [true, false].flatMap((isSo) =>
      [0, HOUR / 2, 24 * HOUR].flatMap((ahead) => {
        const change = {
          discreet: isSo,
          hasAnswered: !isSo,
          status: isSo ? 'dating' : 'open',
          planned: isSo ? 0 : 1,
        } as const
        const names = { group: null, host: isSo ? '友' : null, zone: 'UTC', starts_at: NOW + ahead }
        return [null, '数独'].map((game) =>
          notificationOf(notice({ kind, ...change, ...names }), { texts, game, now: NOW }),
        )
      }),
    ),
  )
  for (const { title, body } of told)
    expect(`${title} ${body}`.replace(/Shelfmates|[A-Z][a-z]+day|June|UTC/g, '')).not.toMatch(/[A-Za-z]{3}/)
})

test('PUSH-8: the title is that of the night, else its group, and the tag is one per night', () => {
  expect(shown({}, 'de')).toMatchObject({ title: 'Friday crew', path: '/nights/12', tag: 'night-12' })
  expect(shown({ title: 'Portal night' }, 'de').title).toBe('Portal night')
  expect(shown({ group: null }, 'de').title).toBe('Spieleabend')
  expect(shown({ title: 'Portal night', discreet: true }, 'de').title).toBe('Shelfmates')
})

test('a name is on one line, and no longer than a push service takes', () => {
  expect(shown({ title: 'a\r\nb\u2028c' }, 'en').title).toBe('a b c')
  const long = '😀'.repeat(5000)
  const sent = shown({ kind: 'starting', title: long, group: long, host: long }, 'en', long)
  expect(sent.title).toBe(`${'😀'.repeat(99)}…`)
  expect(Buffer.byteLength(JSON.stringify(sent))).toBeLessThan(3000)
})

test('PUSH-8, DATE-9: no time is named before the date of a night is found', () => {
  const dating = { status: 'dating', planned: 0 } as const
  expect([shown(dating, 'en').body, shown({ ...dating, host: null }, 'en').body]).toEqual([
    'Mira asks when you can play.',
    'You are asked when you can play.',
  ])
  expect([shown(dating, 'de').body, shown({ ...dating, host: null }, 'de').body]).toEqual([
    'Mira fragt, wann du spielen kannst.',
    'Wann kannst du spielen?',
  ])
  const cancelled = { kind: 'cancelled', planned: 0 } as const
  expect([shown(cancelled, 'en').body, shown(cancelled, 'de').body]).toEqual([
    'It is cancelled.',
    'Der Spieleabend wurde abgesagt.',
  ])
})

test('PUSH-6: the reminder of the day before says when, and asks those who have not answered', () => {
  const reminder = { kind: 'starting', starts_at: NOW + 24 * HOUR } as const
  const bodiesOf = (language: 'en' | 'de') => [
    shown(reminder, language, null).body,
    shown(reminder, language).body,
    shown({ ...reminder, hasAnswered: false }, language).body,
    shown({ ...reminder, starts_at: NOW + HOUR / 2, hasAnswered: false }, language).body,
  ]
  const [en, de] = ['Saturday 6 June at 14:00, GMT+2', 'Samstag, 6. Juni um 14:00 Uhr, MESZ']
  expect(bodiesOf('en')).toEqual([
    `Coming up: ${en}`,
    `You play Portal 2: ${en}`,
    `Are you in? You have not answered yet: ${en}`,
    'Are you in? It starts in 30 minutes, and you have not answered yet.',
  ])
  expect(bodiesOf('de')).toEqual([
    `Bald geht es los: ${de}`,
    `Gespielt wird Portal 2: ${de}`,
    `Bist du dabei? Du hast noch nicht geantwortet: ${de}`,
    'Bist du dabei? In 30 Minuten geht es los, und du hast noch nicht geantwortet.',
  ])
  const discreet = [true, false].flatMap((hasAnswered) =>
    [24 * HOUR, HOUR / 2].map(
      (ahead) =>
        shown({ ...reminder, starts_at: NOW + ahead, hasAnswered, discreet: true, title: 'Raid' }, 'de').body,
    ),
  )
  expect(discreet).toEqual([
    `Bald steht ein Spieleabend an: ${de}`,
    'Ein Spieleabend beginnt in 30 Minuten.',
    `Bist du dabei? Deine Antwort für einen Spieleabend fehlt noch: ${de}`,
    'Bist du dabei? Ein Spieleabend beginnt in 30 Minuten, und du hast noch nicht geantwortet.',
  ])
})
