import type { TestServer } from '../../src/testing.ts'
import { attach } from './files.ts'
import { requireStatus } from './workbench.ts'

export const team = '/default-domain/workspaces/team'

const names = { alice: ['Alice', 'Martin'], bob: ['Bob', 'Durand'], carol: ['Carol', 'Rossi'] } as const

/** Three people who share a workspace, with documents to review and a file with two pages. */
export async function prepareDesk(server: TestServer): Promise<void> {
  const admin = server.as('Administrator')
  for (const [user, [firstName, lastName]] of Object.entries(names)) {
    await server.addUser(user, ['members'])
    const properties = { username: user, firstName, lastName, email: `${user}@example.org` }
    requireStatus(200, await admin.put(`/user/${user}`, { 'entity-type': 'user', id: user, properties }))
  }
  const workspace = { 'entity-type': 'document', type: 'Workspace', name: 'team', properties: { 'dc:title': 'Team' } }
  requireStatus(201, await admin.post('/path/default-domain/workspaces', workspace))
  const params = { username: 'members', permission: 'ReadWrite' }
  requireStatus(200, await admin.post('/automation/Document.AddPermission', { input: `doc:${team}`, params, context: {} }))
  for (const title of ['Contract', 'Budget', 'Minutes', 'Roadmap']) await addDocument(server, title)
  const { uid } = await addDocument(server, 'Offer')
  await attach(server, uid, aPdf(['First page', 'Second page']), { name: 'offer.pdf', 'mime-type': 'application/pdf' })
}

export async function addDocument(server: TestServer, title: string): Promise<{ readonly uid: string }> {
  const properties = { 'dc:title': title }
  const document = { 'entity-type': 'document', type: 'File', name: title.toLowerCase(), properties }
  return requireStatus(201, await server.as('Administrator').post(`/path${team}`, document))
}

/** A document of pages with a line of text each. */
function aPdf(pages: readonly string[]): Buffer {
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((text, index) => {
      const content = `BT /F 24 Tf 60 700 Td (${text}) Tj ET`
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + index * 2} 0 R /Resources << /Font << /F 3 0 R >> >> >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ]
    }),
  ]
  let body = '%PDF-1.4\n'
  const places = objects.map((object, index) => {
    const place = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const start = body.length
  body += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}trailer\n`
  return Buffer.from(`${body}<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`, 'latin1')
}
