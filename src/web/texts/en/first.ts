/** What the first screens show; loaded before the pages run. */
export { copying } from './copying.ts'
export { messages } from './messages.ts'
export { nightLists } from './night-lists.ts'
export { nightTime } from './night-time.ts'
