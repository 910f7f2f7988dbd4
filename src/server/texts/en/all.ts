/** Every text that the server shows to people. */
export { calendar } from './calendar.ts'
export { dates } from './dates.ts'
export { messages } from './messages.ts'
export { notifications } from './notifications.ts'
export { pages } from './pages.ts'
export { share } from './share.ts'
