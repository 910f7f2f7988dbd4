// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { Loaded, type Loadable } from './loaded.tsx'

afterEach(cleanup)

function show(query: Partial<Loadable<string[]>>) {
  return render(
    <Loaded
      query={{ data: undefined, error: null, isFetching: false, refetch: () => undefined, ...query }}
      skeleton={<p>shapes</p>}
      failed="Failed to fetch games"
      empty="No games found."
    >
      {(games) => <p>{games.join(', ')}</p>}
    </Loaded>,
  )
}

test('LOOK-4: a skeleton is shown while loading', () => {
  show({ isFetching: true })
  expect(screen.getByText('shapes')).toBeTruthy()
})

test('LOOK-19, PAGE-2: a failed load is announced with its reason, and the button loads again', async () => {
  let loads = 0
  show({ error: new Error('The shelf fell over.'), refetch: () => (loads += 1) })
  expect(screen.getByRole('alert').textContent).toContain('Failed to fetch games')
  expect(screen.getByRole('alert').textContent).toContain('The shelf fell over.')
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(loads).toBe(1)
})

test('PAGE-2: data that was shown before stays below a failure', () => {
  show({ data: ['Portal'], error: new Error('Network error.') })
  expect(screen.getByText('Portal')).toBeTruthy()
  expect(screen.getByRole('alert').textContent).toContain('Network error.')
})
