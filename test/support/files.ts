import { saveDocument } from '../../src/core/documents/save-document.ts'
import type { BlobValue } from '../../src/model/properties/property.ts'
import { parseXpath, withValueAt } from '../../src/model/properties/xpath.ts'
import type { TestServer } from '../../src/testing.ts'

export interface Downloaded {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  readonly text: string
}

export interface Asked {
  readonly method?: string
  /** Null for nobody. */
  readonly user?: string | null
  readonly headers?: { readonly [name: string]: string }
  readonly body?: FormData | string
}

/** Asks for bytes at an address below the server's own. */
export async function download(server: TestServer, path: string, asked: Asked = {}): Promise<Downloaded> {
  const { method = 'GET', user = 'Administrator', headers = {}, body = null } = asked
  const authorization = user === null ? {} : { authorization: basic(user) }
  const response = await fetch(new URL(path, server.url), {
    method,
    headers: { ...authorization, ...headers },
    body,
    redirect: 'manual',
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes, text: bytes.toString('utf8') }
}

export function basic(user: string): string {
  return `Basic ${Buffer.from(`${user}:${user}`).toString('base64')}`
}

export type FileFacts = Partial<Pick<BlobValue, 'name' | 'mime-type' | 'encoding'>> & { readonly xpath?: string }

/** Puts bytes into a document as the server itself would. */
export async function attach(
  server: TestServer,
  uid: string,
  content: Uint8Array | string,
  facts: FileFacts = {},
): Promise<BlobValue> {
  const { xpath: address = 'file:content', ...described } = facts
  const stored = await blobsOf(server).write(Buffer.from(content as string))
  const blob: BlobValue = { ...stored, name: 'a.bin', 'mime-type': 'application/octet-stream', encoding: null, ...described }
  await server.asSystem(async (session) => {
    const xpath = parseXpath(session.model, address)
    const { name } = xpath.property
    await saveDocument(session, uid, ({ properties }) => ({ [name]: withValueAt(properties, xpath, blob)[name] ?? null }))
  })
  return blob
}

export function blobsOf({ services }: TestServer) {
  const repository = services.repositories.get('default')
  if (repository === undefined) throw new Error('There is no default repository.')
  return repository.blobs
}

/** A form with one file, and what else it says. */
export function aForm(
  content: Uint8Array | string,
  name: string,
  { type = '', fields = {} }: { type?: string; fields?: object } = {},
): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, String(value))
  form.set('file', new Blob([content as string], { type }), name)
  return form
}
