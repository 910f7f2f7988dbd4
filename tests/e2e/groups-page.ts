/** The parts of the Groups screen, for the tests of it. */
import type { Page } from '@playwright/test'
import { imageOf } from '../support/png.ts'

export const EMPTY = 'You’re not in any groups yet. Create one, then add your friends.'

export const list = (page: Page) => page.getByRole('region', { name: 'My groups' })
export const card = (page: Page, name: string) => list(page).getByRole('listitem').filter({ hasText: name })
export const form = (page: Page) => page.getByRole('region', { name: 'Create Group' })
export const nameField = (page: Page) => form(page).getByRole('textbox', { name: 'Group name' })
export const pictureField = (page: Page) => form(page).getByLabel('Picture (optional)')
export const create = (page: Page) => form(page).getByRole('button', { name: 'Create Group' })
export const preview = (page: Page) => page.getByRole('img', { name: 'Preview of the chosen picture' })

/** A picture as a file to choose. */
export const pngFile = async (width = 32, height = 32) => ({
  name: 'crew.png',
  mimeType: 'image/png',
  buffer: await imageOf('teal', width, height),
})
