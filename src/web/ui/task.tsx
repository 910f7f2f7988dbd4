/** The earlier names of `async-action.tsx`, for the files that still use them. */
export { OutcomeNotice, type Outcome, useAsyncAction as useTask } from './async-action.tsx'
