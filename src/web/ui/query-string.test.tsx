// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react'
import fc from 'fast-check'
import { type ReactNode } from 'react'
import { BrowserRouter } from 'react-router'
import { beforeEach, describe, expect, test } from 'vitest'
import { anyText, oneOf, readView, useQueryView, writeView } from './query-string.ts'
import { remembered } from './remembered.ts'

const layout = remembered('layout', ['tiles', 'list'])
const params = {
  search: anyText,
  sort: oneOf(['hours', 'name'], { also: { az: 'name' } }),
  view: oneOf(['tiles', 'list'], { remembered: layout }),
}
type View = { search: string; sort: 'hours' | 'name'; view: 'tiles' | 'list' }
const initial: View = { search: '', sort: 'hours', view: 'tiles' }

beforeEach(() => {
  localStorage.clear()
  history.replaceState(null, '', '/')
})

describe('a view in the query string', () => {
  test('LIST-1: nonsense is ignored, with the rest intact', () => {
    expect(readView(params, '?sort=nonsense&search=port&view=&view=list&x=1')).toEqual({
      ...initial,
      search: 'port',
    })
    expect(readView(params, '?sort=name&sort=hours&search=%E0%A4%A')).toMatchObject({ sort: 'name' })
    for (const name of ['constructor', '__proto__', 'toString'])
      expect(readView(params, `?sort=${name}`)).toEqual(initial)
  })

  test('LIST-1: other names of a choice are understood', () => {
    expect(readView(params, '?sort=az').sort).toBe('name')
  })

  test('LIST-1: any view is read as it was written, and what is not its own stays', () => {
    const view: fc.Arbitrary<View> = fc.record({
      search: fc.string({ unit: 'grapheme' }),
      sort: fc.constantFrom('hours' as const, 'name' as const),
      view: fc.constantFrom('tiles' as const, 'list' as const),
    })
    fc.assert(
      fc.property(view, fc.webQueryParameters({ size: 'xsmall' }), (wanted, others) => {
        const entries = writeView(params, wanted, `?friend=7&${others}`)
        const query = new URLSearchParams(entries).toString()
        expect(readView(params, query)).toEqual(wanted)
        expect(new URLSearchParams(query).get('friend')).toBe('7')
        expect(writeView(params, wanted, query)).toEqual(entries)
      }),
    )
  })

  test('LIST-1: a view that is as without a query string adds nothing', () => {
    expect(writeView(params, readView(params, ''), '')).toEqual([])
  })
})

describe('useQueryView', () => {
  const wrapper = ({ children }: { children: ReactNode }) => <BrowserRouter>{children}</BrowserRouter>
  const render = () => renderHook(() => useQueryView(params), { wrapper }).result

  test('changes are in the address, beside what is not its own', () => {
    history.replaceState(null, '', '/list?friend=7&sort=nonsense')
    const hook = render()
    act(() => {
      hook.current[1]({ search: 'a b' })
      hook.current[1]({ sort: 'name' })
    })
    expect(hook.current[0]).toEqual({ search: 'a b', sort: 'name', view: 'tiles' })
    expect(location.pathname + location.search).toBe('/list?friend=7&search=a+b&sort=name')
    act(() => hook.current[1]({ search: '', sort: 'hours' }))
    expect(location.search).toBe('?friend=7')
  })

  test('LIST-5: a remembered choice holds where the address says nothing, and is put into it', () => {
    layout.write('list')
    const hook = render()
    expect(hook.current[0].view).toBe('list')
    expect(location.search).toBe('?view=list')
    act(() => hook.current[1]({ view: 'tiles' }))
    expect(location.search).toBe('')
    expect(layout.read()).toBeUndefined()
  })

  test('LIST-5: the address wins over what is remembered, and changes nothing of it', () => {
    history.replaceState(null, '', '/list?view=list')
    expect(render().current[0].view).toBe('list')
    expect({ ...localStorage }).toEqual({})
  })

  test('a stored value that is no choice counts as none', () => {
    localStorage.setItem('layout', 'nonsense')
    expect(render().current[0].view).toBe('tiles')
  })
})
