/** Every endpoint of the product, by noun. */
import { calendarContract } from './calendar.ts'
import { comparisonContract } from './comparison.ts'
import { friendsContract } from './friends.ts'
import { gamesContract } from './games.ts'
import { groupsContract } from './groups.ts'
import { invitesContract } from './invites.ts'
import { latelyContract } from './lately.ts'
import { libraryContract } from './library.ts'
import { liveContract } from './live.ts'
import { nightsContract } from './nights.ts'
import { operatorContract } from './operator.ts'
import { addedGamesContract, playersContract, wishesContract } from './players.ts'
import { privacyContract } from './privacy.ts'
import { pushContract } from './push.ts'
import { sessionContract } from './session.ts'
import { shareContract } from './share.ts'
import { syncContract } from './sync.ts'
import { webhooksContract } from './webhooks.ts'
import { groupYearShareContract, yearContract, yearShareContract } from './year.ts'

export const contract = {
  session: sessionContract,
  library: libraryContract,
  lately: latelyContract,
  year: yearContract,
  yearShare: yearShareContract,
  groupYearShare: groupYearShareContract,
  friends: friendsContract,
  comparison: comparisonContract,
  games: gamesContract,
  groups: groupsContract,
  players: playersContract,
  wishes: wishesContract,
  addedGames: addedGamesContract,
  invites: invitesContract,
  live: liveContract,
  nights: nightsContract,
  calendar: calendarContract,
  webhooks: webhooksContract,
  push: pushContract,
  share: shareContract,
  sync: syncContract,
  privacy: privacyContract,
  operator: operatorContract,
}
export type Contract = typeof contract
