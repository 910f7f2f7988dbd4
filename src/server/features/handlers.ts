/** The handlers of the whole contract. An endpoint without a handler does not compile. */
import type { Contract } from '#shared/contract/index.ts'
import type { Deps } from '../deps.ts'
import type { ApiHandlers } from '../endpoint-handler.ts'
import { calendarHandlers } from './calendar.ts'
import { comparisonHandlers, libraryHandlers } from './library.ts'
import { friendsHandlers } from './friends.ts'
import { gamesHandlers } from './games.ts'
import { groupsHandlers } from './groups.ts'
import { invitesHandlers } from './invites.ts'
import { latelyHandlers } from './lately.ts'
import { liveHandlers } from './live.ts'
import { nightsHandlers } from './nights.ts'
import { operatorHandlers } from './operator.ts'
import { playersHandlers, wishesHandlers } from './group-games.ts'
import { privacyHandlers } from './privacy.ts'
import { pushHandlers } from './push.ts'
import { sessionHandlers } from './sign-in.ts'
import { shareHandlers } from './share.ts'
import { syncHandlers } from './sync.ts'
import { webhooksHandlers } from './webhooks.ts'

export function createHandlers(deps: Deps): ApiHandlers<Contract> {
  return {
    session: sessionHandlers(deps),
    library: libraryHandlers(deps),
    lately: latelyHandlers(deps),
    friends: friendsHandlers(deps),
    comparison: comparisonHandlers(deps),
    games: gamesHandlers(deps),
    groups: groupsHandlers(deps),
    players: playersHandlers(deps),
    wishes: wishesHandlers(deps),
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
