/** What the first screens show; loaded before the pages run. */
export { messages } from './messages.ts'
export { nightTime } from './night-time.ts'
