/** Schemas of game nights (NIGHT-1 to NIGHT-91) in requests and responses. */
import { z } from 'zod'
import {
  filterableGame,
  friend,
  gameSummary,
  group,
  groupIdInPath,
  nearMiss,
  ownedElsewhere,
  player,
  steamId,
} from '../entities.ts'
import { NIGHT_MARKS_MAX, NIGHT_WORD_MAX } from '../limits.ts'
import { gameFacts } from './facts.ts'
import { DATE_ANSWERS } from './dates.ts'
import { REPEATS } from './repeats.ts'
import { MARKS } from './votes.ts'

export const nightIdInPath = groupIdInPath.meta({ description: 'Id of a game night' })
export const seriesIdInPath = groupIdInPath.meta({ description: 'Id of a series of game nights' })
const time = z.iso.datetime()
const appid = z.int().min(1).max(4_294_967_295)

/** Whether a player comes; null where one is expected: they have not answered. */
export const nightAnswer = z.enum(['in', 'maybe', 'out'])
export type NightAnswer = z.infer<typeof nightAnswer>

/** What a player thinks of a game of the shortlist: 'Want', 'Fine', 'Not tonight'. */
export const mark = z.enum(MARKS)

/**
 * All marks of a player; games without a mark are neither wanted nor refused. Marks of games that are not on the list
 * wait until they are.
 */
export const ballot = z.array(z.object({ appid, mark })).max(NIGHT_MARKS_MAX)
export type Ballot = z.infer<typeof ballot>

/** What a player answers to a proposed time: 'Yes', 'If need be', 'No'. */
export const dateAnswer = z.enum(DATE_ANSWERS)

/** A time that is proposed for a night: an instant (DATE-15). */
export const nightTime = z.object({
  starts_at: time,
  /** By steam id; of those who have answered this time. */
  answers: z.record(z.string(), dateAnswer),
})
export type NightTime = z.infer<typeof nightTime>

/**
 * 'dating': its date is being found, and its players answer the proposed times. 'tied': the vote has ended, marks and odds
 * are public, and the host draws. 'over': twelve hours after its start there was no pick, or all proposed times have
 * passed.
 */
export const nightStatus = z.enum(['dating', 'open', 'tied', 'decided', 'cancelled', 'over'])

/** A game that all who are in own or get for nothing, and can play together, best first. */
export const shortlistEntry = filterableGame.extend({
  facts: gameFacts,
  /** Those of `counted` who lack it; players who are in lack only free games. Empty once the vote has ended. */
  lacking: z.array(steamId),
  /** Of those whose libraries I may see, and of who is in; empty once the vote has ended. */
  ...ownedElsewhere.shape,
  is_free: nearMiss.shape.is_free,
})
export type ShortlistEntry = z.infer<typeof shortlistEntry>

/** A game with a price that one or two counted players lack, one of whom is in. */
export const nightNearMiss = filterableGame.extend({
  ...ownedElsewhere.shape,
  lacking: z.array(steamId),
  is_free: nearMiss.shape.is_free,
})
export type NightNearMiss = z.infer<typeof nightNearMiss>

/** The sum of the marks of a game, once the vote has ended. */
export const gameScore = z.object({
  appid: z.int(),
  score: z.int(),
  /** By a 'not tonight', where that forbids (`forbids`). */
  ruled_out: z.boolean(),
})
export type GameScore = z.infer<typeof gameScore>

/** The chances of a draw: a game is drawn `weight` times in the sum of all weights. */
export const gameOdds = z.object({ appid: z.int(), weight: z.int().positive() })
export type GameOdds = z.infer<typeof gameOdds>

/** One result of a night; the pick is the last one. */
export const nightDraw = gameSummary.extend({
  number: z.int(),
  /** 'votes': the one game with the most votes; 'draw': drawn with `odds`. */
  by: z.enum(['votes', 'draw']),
  odds: z.array(gameOdds),
  /** Why it was drawn again. */
  reason: z.string().nullable(),
  /** Null when the vote ended by itself, and for a deleted account. */
  drawn_by: steamId.nullable(),
  at: time,
  /** The seed of what was drawn, and its hash, which the night showed before (`draw.ts`); null for 'votes'. */
  seed: z.string().nullable(),
  seed_hash: z.string().nullable(),
})
export type NightDraw = z.infer<typeof nightDraw>

export const nightPick = nightDraw.extend({
  /** Those who are in and own it. */
  ready: z.array(steamId),
  /** Those who are known to lack it: who are in, and of the others who have not said no whose libraries I may see. */
  lacking: z.array(steamId),
  /** Those of them who own it only elsewhere, and where; also of private libraries. */
  ...ownedElsewhere.shape,
  is_free: z.boolean().nullable(),
  players_max: nearMiss.shape.players_max,
  link: nearMiss.shape.link,
})
export type NightPick = z.infer<typeof nightPick>

/** A player of a night. Presence is sent until the night is past. */
export const nightPlayer = player.extend({
  answer: nightAnswer.nullable(),
  /** A short message with the answer. */
  word: z.string().nullable(),
  voted: z.boolean(),
  personastate: friend.shape.personastate,
  playing: friend.shape.playing,
  playing_appid: friend.shape.playing_appid,
  library_status: friend.shape.library_status,
  /** Null while hidden: others' marks are sent to those who have marked a game, and to everyone once the vote has ended. */
  marks: ballot.nullable(),
  /**
   * To who leads the night, of whoever has not answered: whether they have an account here, and a device that is notified.
   * Null for others.
   */
  reach: z.enum(['notified', 'here', 'away']).nullable(),
})
export type NightPlayer = z.infer<typeof nightPlayer>

/** How often a night repeats. */
export const repeat = z.enum(REPEATS)

/** What a night that repeats is part of. */
export const nightSeries = z.object({
  series_id: z.int(),
  every: repeat,
  /** IANA name of the time zone whose clocks say when it is. */
  zone: z.string(),
  /** When the first night starts that does not exist yet. */
  next_starts_at: time,
})

const nightGroup = group.pick({ group_id: true, name: true, picture_image_url: true })

const nightBasics = z.object({
  night_id: z.int(),
  /** Null for a night of players chosen for the occasion. */
  group: nightGroup.nullable(),
  /** Null when no possible host is left. */
  host_steam_id: steamId.nullable(),
  title: z.string().nullable(),
  /** While its date is being found: the last of its times. */
  starts_at: time,
  /** Whether a time was chosen, rather than 'now'. */
  planned: z.boolean(),
  status: nightStatus,
  /** Rises with every change. */
  version: z.int(),
  /** Null when it does not repeat. */
  series: nightSeries.nullable(),
})

/** A night in a list. */
export const nightSummary = nightBasics.extend({
  /** Whether I am one of its players, and can open it. */
  is_mine: z.boolean(),
  /** Whether it is a night of a group that I have joined. */
  in_my_group: z.boolean(),
  /** Whether I am its host, or the owner of its group and in it (NIGHT-11). */
  leads: z.boolean(),
  my_answer: nightAnswer.nullable(),
  /** Numbers of players by answer, and of all. */
  in: z.int(),
  maybe: z.int(),
  out: z.int(),
  people: z.int(),
  /** Who is in, or was. */
  came: z.array(player),
  pick: gameSummary.nullable(),
  /**
   * While its date is being found: how many have answered all times that are ahead, of those who have not said that they
   * are out, and whether I am one of those who have not answered.
   */
  dating: z.object({ answered: z.int(), partly: z.int(), asked: z.int(), needs_me: z.boolean() }).nullable(),
})
export type NightSummary = z.infer<typeof nightSummary>

/** An earlier night of the same people (MEMORY-1). */
export const heldNight = z.object({
  night_id: z.int(),
  starts_at: time,
  came: z.array(player),
  pick: gameSummary.nullable(),
})

/** Everything that the page of a night shows. */
export const night = nightBasics.extend({
  created_at: time,
  /**
   * While its date is being found: the proposed times, best first, and those that have passed last; then none.
   */
  times: z.array(nightTime),
  /** When the best of them is taken; null for never. */
  close_times_at: time.nullable(),
  /** Whether a 'not tonight' rules a game out. */
  forbids: z.boolean(),
  /**
   * Whether games may be picked that somebody lacks who has not said no; and when the vote ends by itself, null for not at a
   * time.
   */
  any_owner: z.boolean(),
  vote_closes_at: time.nullable(),
  /** IANA name of the time zone that its time was chosen in; null when that is not known. */
  zone: z.string().nullable(),
  /** Whether the page of its link shows names and pictures of those who are in. */
  faces: z.boolean(),
  /** Whether who leads the night can reopen the vote now. */
  can_reopen: z.boolean(),
  /** Hash of the seed of the next draw, in hex (`draw.ts`). */
  seed_hash: z.string(),
  people: z.array(nightPlayer),
  my: z.object({
    answer: nightAnswer.nullable(),
    word: z.string().max(NIGHT_WORD_MAX).nullable(),
    voted: z.boolean(),
    marks: ballot.nullable(),
    /** What I want to play with the night's group, until I have voted: counts as 'Want' (WISH-3). */
    wishes: z.array(z.int()),
    /** Whether I have voted, also while that does not count because I am not in. */
    has_voted: z.boolean(),
    /** Whether I am its host or the owner of its group, and may close, draw, change, cancel and remove players. */
    leads: z.boolean(),
    /**
     * Players who are not in but whose libraries decide what can be picked, because all players of the night may see
     * them. Null unless I lead the night and its vote is open.
     */
    pick_counts: z.array(steamId).nullable(),
    /** Whether I host its series or own the group, and may stop it from repeating. */
    may_stop_repeating: z.boolean(),
  }),
  /**
   * The best games that all who are in own; first those that no other counted player lacks. After the vote, the list as
   * it was at its end.
   */
  shortlist: z.array(shortlistEntry),
  /**
   * Players whose libraries the list counts: those who are in, and those who have not said no and whose libraries I may
   * see. Empty once the vote has ended.
   */
  counted: z.array(steamId),
  /** The others who have not said no: their libraries are not known, or not shown to me. */
  unknown: z.array(steamId),
  near_misses: z.array(nightNearMiss),
  /** Null before the vote has ended. */
  scores: z.array(gameScore).nullable(),
  /** Of the next draw, the first or another one; empty when no game is left, and null before the vote has ended. */
  odds: z.array(gameOdds).nullable(),
  /** 'Not tonight' would have ruled out every game, so it only weighed. */
  everything_ruled_out: z.boolean(),
  draws: z.array(nightDraw),
  pick: nightPick.nullable(),
})
export type Night = z.infer<typeof night>
