import type { MixedFile } from '../support/conversion/mixed-files.ts'

/** Has a file become a document of a folder. */
export async function importFile(
  url: string,
  folder: string,
  file: Pick<MixedFile, 'name' | 'mimeType' | 'bytes'>,
): Promise<void> {
  const form = new FormData()
  const context = { currentDocument: folder }
  form.set('params', new Blob([JSON.stringify({ params: {}, context })], { type: 'application/json' }))
  form.set('input', new Blob([file.bytes as never], { type: file.mimeType }), file.name)
  const response = await fetch(`${url}api/v1/automation/FileManager.Import`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('Administrator:Administrator')}` },
    body: form,
  })
  const text = await response.text()
  if (response.status !== 200)
    throw new Error(`The import of ${file.name} was answered with ${response.status}: ${text.slice(0, 200)}`)
}
