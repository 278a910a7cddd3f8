import { ChevronDown, ChevronLeft, ChevronRight, ChevronUp, Maximize, ZoomIn, ZoomOut } from 'lucide-react'
import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy } from 'pdfjs-dist'
import worker from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import { useEffect, useRef, useState } from 'react'
import type { Blob } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Refused } from '../problems/shown.tsx'
import type { PageView } from './page-view.ts'
import { findInPdf, type PdfMatch } from './pdf-search.ts'
import styles from './preview.module.css'
import { usePreviewWords } from './words.ts'

GlobalWorkerOptions.workerSrc = worker

const smallest = 0.5
const largest = 4

/** A page at a time, drawn here: nothing in the file runs. */
export function PdfPreview({ file, view }: { readonly file: Blob; readonly view: PageView | undefined }) {
  const say = usePreviewWords()
  const canvas = useRef<HTMLCanvasElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const [pdf, setPdf] = useState<PDFDocumentProxy>()
  const [problem, setProblem] = useState<Error>()
  const [attempt, setAttempt] = useState(0)
  const [ownPage, setOwnPage] = useState(1)
  const { page, onPage: setPage } = view ?? { page: ownPage, onPage: setOwnPage }
  const [scale, setScale] = useState(1.25)
  const found = usePdfSearch(pdf, setPage)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt opens the file anew, another address of the same file does not
  useEffect(() => {
    const opening = getDocument({ url: file.data, isEvalSupported: false, enableXfa: false })
    opening.promise.then(setPdf, setProblem)
    return () => {
      // Nothing can be asked of it any more.
      setPdf(undefined)
      void opening.destroy()
    }
  }, [file.digest, attempt])

  useEffect(() => {
    const target = canvas.current
    if (pdf === undefined || target === null) return
    let drawing: { cancel(): void } | undefined
    let isOver = false
    pdf
      .getPage(Math.min(page, pdf.numPages))
      .then((shown) => {
        if (isOver) return
        const viewport = shown.getViewport({ scale: scale * devicePixelRatio })
        Object.assign(target, { width: viewport.width, height: viewport.height })
        target.style.inlineSize = `${viewport.width / devicePixelRatio}px`
        const task = shown.render({ canvas: target, viewport })
        drawing = task
        return task.promise
      })
      .catch((error: Error) => error.name !== 'RenderingCancelledException' && setProblem(error))
    return () => {
      isOver = true
      drawing?.cancel()
    }
  }, [pdf, page, scale])

  if (problem !== undefined) {
    return (
      <Refused
        error={problem}
        onRetry={() => {
          setProblem(undefined)
          setAttempt(attempt + 1)
        }}
      />
    )
  }
  if (pdf === undefined) return <Skeleton />
  const zoom = (factor: number) => setScale(Math.min(largest, Math.max(smallest, scale * factor)))
  return (
    <div ref={frame} className={`${styles.pages} ${styles.whole}`}>
      <div className={styles.bar}>
        <Button look="quiet" aria-label={say('previous')} isDisabled={page === 1} onPress={() => setPage(page - 1)}>
          <ChevronLeft size={18} aria-hidden />
        </Button>
        <span role="status">{say('page', { page, pages: pdf.numPages })}</span>
        <Button look="quiet" aria-label={say('next')} isDisabled={page === pdf.numPages} onPress={() => setPage(page + 1)}>
          <ChevronRight size={18} aria-hidden />
        </Button>
        <Button look="quiet" aria-label={say('zoomOut')} onPress={() => zoom(0.8)}>
          <ZoomOut size={18} aria-hidden />
        </Button>
        <Button look="quiet" aria-label={say('zoomIn')} onPress={() => zoom(1.25)}>
          <ZoomIn size={18} aria-hidden />
        </Button>
        <Button look="quiet" aria-label={say('wholeScreen')} onPress={() => void frame.current?.requestFullscreen()}>
          <Maximize size={18} aria-hidden />
        </Button>
        <PdfSearch found={found} />
      </div>
      <div className={styles.framed}>
        <canvas ref={canvas} role="img" aria-label={say('document', { name: file.name ?? '' })} />
        {found.matches.map((match, index) =>
          match.page === page ? (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: they have no other name
              key={index}
              className={styles.match}
              data-current={index === found.at}
              style={{
                insetInlineStart: `${match.left}%`,
                insetBlockStart: `${match.top}%`,
                inlineSize: `${match.width}%`,
                blockSize: `${match.height}%`,
              }}
            />
          ) : null,
        )}
        {view?.layer(page)}
      </div>
    </div>
  )
}

interface PdfSearchState {
  readonly matches: readonly PdfMatch[]
  readonly at: number
  /** Undefined before anything was looked for. */
  readonly text: string | undefined
  look(text: string): void
  step(by: number): void
}

/** Looks through the file, and leads from one place to the next. */
function usePdfSearch(pdf: PDFDocumentProxy | undefined, onPage: (page: number) => void): PdfSearchState {
  const [matches, setMatches] = useState<readonly PdfMatch[]>([])
  const [at, setAt] = useState(0)
  const [text, setText] = useState<string>()
  const looking = useRef<AbortController>(undefined)
  const show = (some: readonly PdfMatch[], index: number) => {
    setAt(index)
    const match = some[index]
    if (match !== undefined) onPage(match.page)
  }
  return {
    matches,
    at,
    text,
    look(next) {
      looking.current?.abort()
      if (next === text && matches.length > 0) return show(matches, (at + 1) % matches.length)
      setText(next === '' ? undefined : next)
      setMatches([])
      if (next === '' || pdf === undefined) return
      const begun = new AbortController()
      looking.current = begun
      void findInPdf(pdf, next, begun.signal).then((some) => {
        if (begun.signal.aborted) return
        setMatches(some)
        show(some, 0)
      })
    },
    step: (by) => show(matches, (at + by + matches.length) % Math.max(1, matches.length)),
  }
}

function PdfSearch({ found: { matches, at, text, look, step } }: { readonly found: PdfSearchState }) {
  const say = usePreviewWords()
  const field = useRef<HTMLInputElement>(null)
  return (
    <form
      className={styles.find}
      onSubmit={(event) => {
        event.preventDefault()
        look(field.current?.value.trim() ?? '')
      }}
    >
      <input ref={field} type="search" aria-label={say('find')} placeholder={say('find')} maxLength={200} />
      {text === undefined ? null : (
        <>
          <span role="status">
            {matches.length === 0 ? say('notFound') : say('match', { at: at + 1, count: matches.length })}
          </span>
          <Button look="quiet" aria-label={say('matchBefore')} isDisabled={matches.length === 0} onPress={() => step(-1)}>
            <ChevronUp size={16} aria-hidden />
          </Button>
          <Button look="quiet" aria-label={say('matchAfter')} isDisabled={matches.length === 0} onPress={() => step(1)}>
            <ChevronDown size={16} aria-hidden />
          </Button>
        </>
      )}
    </form>
  )
}
