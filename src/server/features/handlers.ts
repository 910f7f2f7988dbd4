/** The handlers of the whole contract. An endpoint without a handler does not compile. */
import type { Contract } from '#shared/contract/index.ts'
import type { Deps } from '../deps.ts'
import type { ApiHandlers } from '../endpoint-handler.ts'
import { calendarHandlers } from './nights/calendar.ts'
import { comparisonHandlers, libraryHandlers } from './players/library.ts'
import { friendsHandlers } from './players/friends.ts'
import { gamesHandlers } from './players/games.ts'
import { groupsHandlers } from './groups/groups.ts'
import { invitesHandlers } from './groups/invites.ts'
import { latelyHandlers } from './groups/lately.ts'
import { liveHandlers } from './live.ts'
import { nightsHandlers } from './nights/nights.ts'
import { operatorHandlers } from './operator.ts'
import { addedGamesHandlers, playersHandlers, wishesHandlers } from './groups/games.ts'
import { privacyHandlers } from './accounts/privacy.ts'
import { pushHandlers } from './accounts/push.ts'
import { sessionHandlers } from './accounts/sign-in.ts'
import { shareHandlers } from './nights/share.ts'
import { syncHandlers } from './players/sync.ts'
import { webhooksHandlers } from './groups/webhooks.ts'
import { groupYearShareHandlers, yearShareHandlers } from './groups/year-share.ts'
import { yearHandlers } from './groups/year.ts'

export function createHandlers(deps: Deps): ApiHandlers<Contract> {
  return {
    session: sessionHandlers(deps),
    library: libraryHandlers(deps),
    lately: latelyHandlers(deps),
    year: yearHandlers(deps),
    yearShare: yearShareHandlers(deps),
    groupYearShare: groupYearShareHandlers(deps),
    friends: friendsHandlers(deps),
    comparison: comparisonHandlers(deps),
    games: gamesHandlers(deps),
    groups: groupsHandlers(deps),
    players: playersHandlers(deps),
    wishes: wishesHandlers(deps),
    addedGames: addedGamesHandlers(deps),
    invites: invitesHandlers(deps),
    live: liveHandlers(deps),
    nights: nightsHandlers(deps),
    calendar: calendarHandlers(deps),
    webhooks: webhooksHandlers(deps),
    push: pushHandlers(deps),
    share: shareHandlers(deps),
    sync: syncHandlers(deps),
    privacy: privacyHandlers(deps),
    operator: operatorHandlers(deps),
  }
}
