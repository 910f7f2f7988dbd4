/** Browser names, so that users can recognise their sessions. */
import { account as texts } from '../../more-messages.ts'

/** Most user agents also contain the names of browsers further down, so the first match counts. */
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

/** 'Firefox on Windows', from a user agent; undefined if neither browser nor system is known. */
export function browserOf(userAgent: string): string | undefined {
  const [browser, system] = [browsers, systems].map(
    (known) => known.find(([pattern]) => pattern.test(userAgent))?.[1],
  )
  return browser && system ? texts.browserOn({ browser, system }) : (browser ?? system)
}
