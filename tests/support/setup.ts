/** For every test file: a transaction that does not record what it changed fails its test run. */
process.on('warning', (warning) => {
  if (warning.name === 'UnrecordedChange') throw warning
})
