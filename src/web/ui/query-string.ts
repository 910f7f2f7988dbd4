/** The search and filters of a list are stored in the query string, so that a link opens the same view (LIST-1). */
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import type { Remembered } from './remembered.ts'

/** A value of a view: how it is read from the query string, and what it is without. */
export type Param<Value extends string> = {
  initial: Value
  /** Undefined for a text that makes no sense, which is then ignored. */
  read: (text: string) => Value | undefined
  /** What this browser chose last, instead of `initial`. */
  remembered?: Remembered<Value>
}

/** The values of a view by their names in the query string. */
export type Params<View> = { [Name in keyof View]: View[Name] extends string ? Param<View[Name]> : never }

/** Any text, such as a search. */
export const anyText: Param<string> = { initial: '', read: (text) => text }

/**
 * One of some choices, of which the first is the initial one.
 * @param also other names of choices, as in links made by earlier versions
 */
export function oneOf<Choice extends string>(
  choices: readonly [Choice, ...Choice[]],
  { also = {}, remembered }: { also?: Record<string, Choice>; remembered?: Remembered<Choice> } = {},
): Param<Choice> {
  const byText = new Map<string, Choice>([
    ...Object.entries(also),
    ...choices.map((choice) => [choice, choice] as const),
  ])
  return { initial: choices[0], read: (text) => byText.get(text), remembered }
}

function entriesOf<View>(params: Params<View>): [string, Param<string>][] {
  return Object.entries<Param<string>>(params as never)
}

/** The view that a query string describes. */
export function readView<View extends Record<string, string>>(params: Params<View>, query: string): View {
  const given = new URLSearchParams(query)
  const read = ([name, param]: [string, Param<string>]) => {
    const text = given.get(name)
    const value = text === null ? undefined : param.read(text)
    return [name, value ?? param.remembered?.read() ?? param.initial]
  }
  return Object.fromEntries(entriesOf(params).map(read)) as View
}

/** The query string of a view: what differs from the initial view, after what is not the view's own. */
export function writeView<View extends Record<string, string>>(
  params: Params<View>,
  view: View,
  query: string,
): [string, string][] {
  const others = [...new URLSearchParams(query)].filter(([name]) => !Object.hasOwn(params, name))
  const own = entriesOf(params).filter(([name, { initial }]) => view[name] !== initial)
  return [...others, ...own.map(([name]): [string, string] => [name, view[name]!])]
}

/**
 * The view in the query string, and a function to change a part of it. Read again after each navigation.
 * @param params the same at each render
 */
export function useQueryView<View extends Record<string, string>>(
  params: Params<View>,
): [View, (part: Partial<View>) => void] {
  const { key, pathname } = useLocation()
  const [state, setState] = useState(() => ({ key, view: readView(params, location.search) }))
  let { view } = state
  if (state.key !== key) {
    view = readView(params, location.search)
    setState({ key, view })
  }
  const latest = useRef(view)
  // Also without a change: what the browser remembers belongs into a link that is copied.
  useEffect(() => {
    latest.current = view
    // While the next screen is loading, the URL is already its own.
    if (pathname === location.pathname) replaceQueryString(writeView(params, view, location.search))
  }, [params, view, key, pathname])

  return [
    view,
    (part) => {
      for (const [name, value] of Object.entries(part))
        params[name as keyof View].remembered?.write(value as never)
      latest.current = { ...latest.current, ...part }
      setState({ key, view: latest.current })
    },
  ]
}

/**
 * Replaces the query string of the current URL. Bypasses the router, which would render every link of the page again at
 * each key; it reads the URL when the user returns.
 */
export function replaceQueryString(entries: readonly (readonly [string, string])[]): void {
  const query = new URLSearchParams(entries.map(([name, value]) => [name, value])).toString()
  const url = location.pathname + (query && `?${query}`) + location.hash
  if (url !== location.pathname + location.search + location.hash)
    history.replaceState(history.state, '', url)
}

const APPID_MAX = 4_294_967_295

/** The appid in the path; undefined if it cannot be one. */
export function appidOf(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,9}$/.test(text) && Number(text) <= APPID_MAX
    ? Number(text)
    : undefined
}
