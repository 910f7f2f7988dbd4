/** What the first screens show; loaded before the pages run. */
export { copying } from './copying.ts'
export { messages } from '../en/messages.ts'
export { nightLists } from '../en/night-lists.ts'
export { nightTime } from '../en/night-time.ts'
export { privateHelp } from '../en/private-help.ts'
