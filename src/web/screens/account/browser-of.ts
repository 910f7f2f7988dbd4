/** Telling one's sessions apart by what the browsers say of themselves. */

/** Most browsers also claim to be those further down; the first that fits is the one. */
const browsers: [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Valve Steam/, 'Steam'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** 'Firefox on Windows', from the text a browser names itself with; undefined when it says nothing known. */
export function browserOf(userAgent: string): string | undefined {
  const [browser, system] = [browsers, systems].map(
    (known) => known.find(([pattern]) => pattern.test(userAgent))?.[1],
  )
  return browser && system ? `${browser} on ${system}` : (browser ?? system)
}
