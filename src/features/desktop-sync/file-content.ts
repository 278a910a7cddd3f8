import { type FlowingBlob, storedBlob } from '../../automation/values/flowing-blob.ts'
import { defineProblem } from '../../base/problem.ts'
import { shortFileName } from '../../base/short-file-name.ts'
import { hasMainText, mainBlob, mainFile } from '../../core/blobs/document-blobs.ts'
import { findCharset, findNoteContent } from '../../core/blobs/note-text.ts'
import { openBlob } from '../../core/blobs/open-blob.ts'
import { shapeSeen } from '../../core/documents/proxies/proxy.ts'
import type { Session } from '../../core/session.ts'
import { type Document, titleOf } from '../../model/document.ts'
import { isBlobValue, type Properties } from '../../model/properties/property.ts'
import { sanitisedText } from '../../model/properties/value-bounds.ts'

export const wrongItemName = defineProblem(
  'wrongItemName',
  'invalid',
  (of: { name: string }) =>
    `'${of.name.slice(0, 100)}' is no name for a file or a folder: it must be one that can be seen, without slashes and control characters, of at most 255 bytes.`,
)

export const holdsNoFile = defineProblem(
  'holdsNoFile',
  'invalid',
  (of: { id: string; type: string }) => `Document ${of.id} is of type ${of.type}, which holds no file`,
)

export const noTextOfNote = defineProblem(
  'noTextOfNote',
  'invalid',
  (of: { name: string }) => `${of.name} cannot be the text of a note: it is no text, or longer than a note may be.`,
)

/** What a client calls a file or a folder. @throws wrongItemName */
export function readItemName(text: string): string {
  const name = sanitisedText(text).normalize('NFC')
  const isPlain = name.trim() !== '' && name !== '.' && name !== '..' && !/[/\\\p{Cc}]/u.test(name)
  if (!isPlain || shortFileName(name) !== name) throw wrongItemName({ name: text })
  return name
}

/** What becomes of a document that gets other content, made before the transaction that writes it. */
export type ContentChange = (current: Document) => Properties

/**
 * The file becomes the main one of the document, or its text that of a note. Without a name it keeps that of the file before; a document that
 * is called as its file is goes by the new name.
 * @throws holdsNoFile, noTextOfNote, wrongItemName
 */
export async function prepareContent(
  session: Session,
  document: Document,
  file: FlowingBlob,
  { followsTitle }: { readonly followsTitle: boolean },
): Promise<ContentChange> {
  const shape = shapeSeen(session.model, document)
  const isNote = hasMainText(shape)
  if (!isNote && !shape.properties.has(mainFile)) throw holdsNoFile(document)
  const sent = file.blob.name ?? ''
  const name = sent === '' ? undefined : readItemName(sent)
  const content = isNote ? await readNote(session, file) : { [mainFile]: await storedBlob(session.repository, file) }
  return (current) => {
    const before = itemNameOf(session, current)
    const kept = content[mainFile]
    const named = isBlobValue(kept) ? { [mainFile]: { ...kept, name: name ?? before ?? null } } : content
    return { ...named, ...(followsTitle && name !== undefined && titleAfter(current, before, name)) }
  }
}

/** The file, or the folder, gets another name. */
export function renamed(session: Session, current: Document, name: string): Properties {
  const file = current.properties[mainFile]
  const before = itemNameOf(session, current)
  if (!isBlobValue(file) || before === undefined) return { 'dc:title': name }
  return { [mainFile]: { ...file, name }, ...titleAfter(current, before, name) }
}

/** Who gave the document a title of its own keeps that. */
function titleAfter(current: Document, before: string | undefined, name: string): Properties {
  return before === undefined || before === titleOf(current) ? { 'dc:title': name } : {}
}

function itemNameOf(session: Session, document: Document): string | undefined {
  const file = mainBlob(session, document)?.blob
  return file && (file.name || titleOf(document))
}

async function readNote({ repository }: Session, file: FlowingBlob): Promise<Properties> {
  const { 'mime-type': type, encoding, length, name } = file.blob
  const [mimeType = ''] = (type ?? '').split(/\s*;/, 1)
  const read = () => openBlob(repository.blobs, file)
  const isText = /^(?:text\/.+|application\/xhtml\+xml)$/.test(mimeType)
  const content = isText
    ? await findNoteContent({ mimeType, encoding: findCharset(type ?? '') ?? encoding, length, read })
    : undefined
  if (content === undefined) throw noTextOfNote({ name: name ?? 'The file' })
  return content
}
