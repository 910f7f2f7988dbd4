/** Saves a text as a file. An ordinary link cannot do it, because the request needs the bearer token. */
export function saveFile(text: string, type: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // In a later task, after the browser has read the file.
  setTimeout(() => URL.revokeObjectURL(url))
}
