// @vitest-environment jsdom
/** PAGE-38: pages whose texts a browser has replaced, as Google's translator does. */
import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { beforeAll, expect, test } from 'vitest'
import { tolerateTranslation } from './translated.ts'

beforeAll(() => {
  ;(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true
  tolerateTranslation()
})

/** Replaces every text of the page, by one call or by two, and waits until that is noticed. */
async function translate(isInOne: boolean): Promise<void> {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  for (const text of texts) {
    if (text.parentElement?.localName === 'font') continue
    const font = document.createElement('font')
    font.innerHTML = `<font>${text.data.toUpperCase()}</font>`
    if (isInOne) text.replaceWith(font)
    else {
      text.before(font)
      text.remove()
    }
  }
  await Promise.resolve()
}

let root: Root
async function shown(children: ReactNode): Promise<string> {
  await act(async () => root.render(<main>{children}</main>))
  await Promise.resolve()
  return document.body.textContent
}

test.each([true, false])('PAGE-38: a translated page takes changes (in one call: %s)', async (isInOne) => {
  root = createRoot(document.body.appendChild(document.createElement('div')))
  const button = (isBusy: boolean, label: string) => (
    <button key="button">
      {isBusy && <i>*</i>}
      {label} <b>now</b>
    </button>
  )
  const counts = (count: number) => (
    <p key="counts">
      {count} in {count > 3 ? 'all' : <b>some</b>} of us
    </p>
  )
  expect(await shown([button(false, 'sync'), counts(3)])).toBe('sync now3 in some of us')
  await translate(isInOne)
  expect(document.body.textContent).toBe('SYNC NOW3 IN SOME OF US')

  // Something comes before a text, a text is written, one replaces an element.
  expect(await shown([button(true, 'sync'), counts(4)])).toBe('*SYNC NOW4 IN all OF US')
  await translate(isInOne)
  expect(await shown([button(true, 'syncing'), counts(5)])).toMatch(/^\*syncing NOW5 IN ALL OF US$/)
  await translate(isInOne)
  expect(await shown([button(false, 'sync'), counts(2)])).toBe('sync NOW2 IN some OF US')
  // Texts that go away take their translation with them.
  await translate(isInOne)
  expect(await shown(['alone', <i key="i">.</i>, 'last'])).toBe('alone.last')
  await translate(isInOne)
  expect(await shown([<i key="i">.</i>])).toBe('.')
  expect(await shown(undefined)).toBe('')
  await act(async () => root.unmount())
  document.body.replaceChildren()
})
