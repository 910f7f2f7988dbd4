/** The reasons for a game's place on a shortlist (NIGHT-24 to NIGHT-26). */
export const reasons = {
  ownSome: '{owners, plural, one {1 of {known} owns it} other {# of {known} own it}}',
  ownNotKnown:
    '{owners, plural, one {1 owns it, unknown for {unknown}} other {# own it, unknown for {unknown}}}',
  ownNotKnownOf:
    '{owners, plural, one {1 owns it, unknown for {names}} other {# own it, unknown for {names}}}',
  ownAll: '{people, plural, =2 {both own it} one {all 1 own it} other {all # own it}}',
  more: '{count, plural, one {1 more} other {# more}}',
  ways: {
    online_coop: 'online co-op',
    online_versus: 'online versus',
    online: 'online multiplayer',
    same_screen: 'same screen',
    remote_play: 'Remote Play Together',
    coop: 'co-op',
    multi: 'multiplayer',
    unknown: 'not known if it can be played together',
  },
  pickedLast: 'picked last time',
  thisMonth: {
    alone: 'played this month',
    both: 'both played it this month',
    all: 'all played it this month',
    some: '{count, plural, one {one person played it this month} other {{number} people played it this month}}',
  },
  nobody: 'nobody has played it yet',
  played: {
    both: 'both have played it',
    all: 'all have played it',
    some: '{count, plural, one {one person have played it} other {{number} people have played it}}',
  },
  newTo: '{count, plural, one {new to one person} other {new to {number} people}}',
  picked: {
    overAYear: 'not picked for over a year',
    notFor: '{weeks, plural, one {not picked for 1 week} other {not picked for # weeks}}',
    underAWeek: 'picked less than a week ago',
    ago: '{weeks, plural, one {picked a week ago} other {picked # weeks ago}}',
  },
  /** In words up to ten. */
  numbers: ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'],
} as const
