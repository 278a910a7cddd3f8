import type { Page } from 'playwright-core'
import type { TestServer } from '../../src/testing.ts'
import type { Screen } from './console-screens.ts'
import { requireStatus } from './workbench.ts'

export const office = '/default-domain/workspaces/office'

/** A workspace with invoices, on a server that has the plugin of them. */
export async function prepareOffice(server: TestServer): Promise<void> {
  const admin = server.as('Administrator')
  const create = async (parent: string, type: string, name: string, properties: object) =>
    requireStatus(201, await admin.post(`/path${parent}`, { 'entity-type': 'document', type, name, properties }))
  await server.addUser('bob', ['members'])
  await create('/default-domain/workspaces', 'Workspace', 'office', { 'dc:title': 'Office' })
  const params = { username: 'members', permission: 'ReadWrite' }
  requireStatus(200, await admin.post('/automation/Document.AddPermission', { input: `doc:${office}`, params, context: {} }))
  const invoice = (name: string, title: string, customer: string, amount: number, more: object = {}) =>
    create(office, 'Invoice', name, { 'dc:title': title, 'inv:customer': customer, 'inv:amount': amount, ...more })
  await invoice('march', 'March', 'Acme', 1200.5, { 'inv:due': '2001-03-31T00:00:00.000Z' })
  await invoice('april', 'April', 'Acme', 80, { 'inv:due': '2999-04-30T00:00:00.000Z' })
  await invoice('may', 'May', 'Bolt', 7, { 'inv:due': '2001-05-31T00:00:00.000Z', 'inv:currency': 'USD' })
  await create(office, 'Note', 'memo', { 'dc:title': 'Memo' })
}

const inMain = (name: RegExp) => (page: Page) => page.getByRole('main').getByRole('button', { name }).first().click()

/** What the plugin of invoices adds to the console. */
export const officeScreens: readonly Screen[] = [
  { name: 'plugin-list', address: `browse${office}` },
  { name: 'plugin-form', address: `browse${office}/may`, before: inMain(/^(Edit|Modifier)$/) },
  { name: 'plugin-tab', address: `browse${office}/march?tab=invoices.payment` },
  { name: 'plugin-page', address: 'plugins/invoices/late' },
  {
    name: 'plugin-action',
    address: `browse${office}/march`,
    before: inMain(/^(Mark as paid|Marquer comme payée)$/),
    covers: true,
  },
]
