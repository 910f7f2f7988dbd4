/** For every test file: a transaction that does not record what it changed fails the test run. */
function failOnUnrecordedChange(warning: Error): void {
  if (warning.name === 'UnrecordedChange') throw warning
}

// The files of a worker share one process.
if (!process.listeners('warning').some(({ name }) => name === failOnUnrecordedChange.name))
  process.on('warning', failOnUnrecordedChange)
