import { ChevronLeft, ChevronRight, ZoomIn, ZoomOut } from 'lucide-react'
import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy } from 'pdfjs-dist'
import worker from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import { useEffect, useRef, useState } from 'react'
import type { Blob } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Refused } from '../problems/shown.tsx'
import type { PageView } from './page-view.ts'
import styles from './preview.module.css'
import { usePreviewWords } from './words.ts'

GlobalWorkerOptions.workerSrc = worker

const smallest = 0.5
const largest = 4

/** A page at a time, drawn here: nothing in the file runs. */
export function PdfPreview({ file, view }: { readonly file: Blob; readonly view: PageView | undefined }) {
  const say = usePreviewWords()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [pdf, setPdf] = useState<PDFDocumentProxy>()
  const [problem, setProblem] = useState<Error>()
  const [attempt, setAttempt] = useState(0)
  const [ownPage, setOwnPage] = useState(1)
  const { page, onPage: setPage } = view ?? { page: ownPage, onPage: setOwnPage }
  const [scale, setScale] = useState(1.25)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt opens the file anew
  useEffect(() => {
    const opening = getDocument({ url: file.data, isEvalSupported: false, enableXfa: false })
    opening.promise.then(setPdf, setProblem)
    return () => void opening.destroy()
  }, [file.data, attempt])

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
    <div className={styles.pages}>
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
      </div>
      <div className={styles.framed}>
        <canvas ref={canvas} role="img" aria-label={say('document', { name: file.name ?? '' })} />
        {view?.layer(page)}
      </div>
    </div>
  )
}
