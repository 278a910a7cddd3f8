import { Paperclip, X } from 'lucide-react'
import { useRef } from 'react'
import { FileTrigger } from 'react-aria-components'
import { changeDocument, useDocumentChange } from '../../api/changes.ts'
import { call } from '../../api/client.ts'
import { type Blob, type Document, hasFacet, isAllowed, propertyOf } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { Panel } from '../../ui/panel.tsx'
import { tell } from '../../ui/toasts.tsx'
import { useFormats } from '../../words/formats.ts'
import { told } from '../problems/told.ts'
import styles from './attachments.module.css'
import { useAttachmentWords } from './words.ts'

const xpath = 'files:files'

type Attachment = { readonly file: Blob | { readonly 'upload-batch': string; readonly 'upload-fileId': string } }

/** Further files of a document, where its type takes them. */
export function AttachmentsPanel({ document }: { readonly document: Document }) {
  const say = useAttachmentWords()
  const { size } = useFormats()
  const input = useRef<HTMLInputElement>(null)
  const attached = propertyOf<readonly Attachment[]>(document, xpath) ?? []
  const mayWrite = isAllowed(document, 'WriteProperties') && !hasFacet(document, 'Immutable')
  const takesFiles = document.schemas.some(({ name }) => name === 'files')
  const change = useDocumentChange((next: readonly Attachment[]) => changeDocument({ document, properties: { [xpath]: next } }))
  const attach = useDocumentChange(async (files: readonly File[]) => {
    const sent = await sendFiles(files)
    return changeDocument({ document, properties: { [xpath]: [...attached, ...sent] } })
  })
  const offered = takesFiles && mayWrite
  useCommands(offered ? [{ id: 'attach', label: say('addFiles'), icon: Paperclip, run: () => input.current?.click() }] : [])
  if (!takesFiles) return null
  const add = (files: readonly File[]) => {
    if (files.length > 0) told(attach.mutateAsync(files), () => tell({ text: say('added', { count: files.length }) }))
  }
  const trigger = (
    <FileTrigger ref={input} allowsMultiple onSelect={(files) => add([...(files ?? [])])}>
      <Button look="quiet" aria-label={say('addFiles')} isPending={attach.isPending}>
        <Paperclip size={16} aria-hidden />
        {say('add')}
      </Button>
    </FileTrigger>
  )
  return (
    <Panel title={say('title')} actions={mayWrite ? trigger : null}>
      {attached.length === 0 ? <p className={styles.quiet}>{say('none')}</p> : null}
      <ul className={styles.list} hidden={attached.length === 0}>
        {attached.map(({ file }, index) => {
          if (!('data' in file)) return null
          const name = file.name ?? ''
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same file may be attached twice
            <li key={`${file.digest}-${index}`}>
              <a href={file.data} download={name}>
                {name}
              </a>
              <span className={styles.quiet}>{size(file.length)}</span>
              {mayWrite ? (
                <Button
                  look="quiet"
                  aria-label={say('remove', { name })}
                  isDisabled={change.isPending}
                  onPress={() =>
                    told(change.mutateAsync(attached.filter((_, place) => place !== index)), () =>
                      tell({ text: say('removed', { name }) }),
                    )
                  }
                >
                  <X size={14} aria-hidden />
                </Button>
              ) : null}
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}

/** @throws Problem */
async function sendFiles(files: readonly File[]): Promise<readonly Attachment[]> {
  const { batchId } = await call<{ batchId: string }>('upload', { method: 'POST' })
  for (const [index, file] of files.entries()) {
    const headers = {
      'X-File-Name': encodeURIComponent(file.name),
      'X-File-Size': String(file.size),
      ...(file.type !== '' && { 'X-File-Type': file.type }),
    }
    await call(`upload/${batchId}/${index}`, { method: 'POST', bytes: file, headers })
  }
  return files.map((_, index) => ({ file: { 'upload-batch': batchId, 'upload-fileId': String(index) } }))
}
