import { useQuery } from '@tanstack/react-query'
import { FileQuestionMark } from 'lucide-react'
import { Suspense } from 'react'
import { addressOf, fetchText } from '../../api/client.ts'
import type { Blob } from '../../api/types.ts'
import { Message } from '../../ui/message.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { later } from '../problems/later.tsx'
import { Shown } from '../problems/shown.tsx'
import type { PageView } from './page-view.ts'
import { PicturePreview } from './picture-preview.tsx'
import styles from './preview.module.css'
import { previewKindOf } from './preview-kind.ts'
import { rowsOf } from './rows-of.ts'
import { VideoPreview } from './video-preview.tsx'
import { usePreviewWords } from './words.ts'

const PdfPreview = later(async () => (await import('./pdf-preview.tsx')).PdfPreview)

const longestText = 500_000
const mostRows = 500

interface PreviewProps {
  readonly file: Blob
  readonly documentId: string
  readonly view?: PageView
}

/** The file of a document, as well as a browser can show it. `view` is of those that have pages; a picture is one. */
export function Preview({ file, documentId, view }: PreviewProps) {
  const say = usePreviewWords()
  const name = file.name ?? ''
  switch (previewKindOf(file)) {
    case 'picture':
      return <PicturePreview file={file} view={view} />
    case 'video':
      return <VideoPreview file={file} documentId={documentId} />
    case 'audio':
      // biome-ignore lint/a11y/useMediaCaption: captions are in the file, if anywhere
      return <audio className={styles.sound} src={file.data} controls preload="metadata" aria-label={name} />
    case 'pdf':
      return (
        <Suspense fallback={<Skeleton />}>
          <PdfPreview file={file} view={view} />
        </Suspense>
      )
    case 'table':
    case 'text':
      return <TextPreview file={file} />
    case 'page':
      return <PagePreview file={file} address={addressOf(`api/v1/id/${documentId}/@preview/`)} />
    default:
      return (
        <Message icon={FileQuestionMark} title={say('none')}>
          <p>{say('noneHint')}</p>
        </Message>
      )
  }
}

/** The page that the server makes of a file: runs nothing, whatever is in it. What it prints as a PDF is shown as one. */
function PagePreview({ file, address }: { readonly file: Blob; readonly address: string }) {
  const say = usePreviewWords()
  const query = useQuery({
    queryKey: ['pages', address, file.digest],
    queryFn: ({ signal }) => fetchText(address, longestText, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Shown query={query} waiting={<Skeleton />}>
      {({ text }) =>
        /<iframe src="(?:@preview\/)?pdf"/.test(text) ? (
          <Suspense fallback={<Skeleton />}>
            <PdfPreview file={{ ...file, data: `${address}pdf` }} view={undefined} />
          </Suspense>
        ) : (
          <iframe className={styles.page} src={address} title={say('document', { name: file.name ?? '' })} />
        )
      }
    </Shown>
  )
}

function TextPreview({ file }: { readonly file: Blob }) {
  const say = usePreviewWords()
  const query = useQuery({
    queryKey: ['texts', file.digest],
    queryFn: ({ signal }) => fetchText(file.data, longestText, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Shown query={query} waiting={<Skeleton />}>
      {({ text, isCut }) => (
        <>
          {previewKindOf(file) === 'table' ? (
            <Table rows={rowsOf(text, mostRows)} label={file.name ?? ''} />
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
            <pre className={styles.text} tabIndex={0}>
              {text}
            </pre>
          )}
          {isCut ? <p className={styles.quiet}>{say('cut')}</p> : null}
        </>
      )}
    </Shown>
  )
}

function Table({ rows: [head = [], ...rows], label }: { readonly rows: readonly (readonly string[])[]; readonly label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section className={styles.table} tabIndex={0} aria-label={label}>
      <table>
        <thead>
          <tr>
            {head.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells of a file that does not change
              <th key={index} scope="col">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <tr key={index}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
