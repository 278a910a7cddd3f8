import { MapPinPlus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Blob, Document } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Preview } from '../preview/preview.tsx'
import { previewKindOf } from '../preview/preview-kind.ts'
import styles from './annotated-preview.module.css'
import { useAnnotating } from './annotating.tsx'
import { AnnotationLayer } from './annotation-layer.tsx'
import { useAnnotationWords } from './words.ts'

export interface AnnotatedPreviewProps {
  readonly document: Document
  readonly file: Blob
  /** Stands above it, beside what begins an annotation. */
  readonly children: ReactNode
}

/** A file with what was said of places in it, where it has pages. */
export function AnnotatedPreview({ document, file, children }: AnnotatedPreviewProps) {
  const say = useAnnotationWords()
  const annotating = useAnnotating()
  const isPaged = ['pdf', 'picture'].includes(previewKindOf(file)) && (document.facets ?? []).includes('Commentable')
  if (annotating === undefined || !isPaged) {
    return (
      <>
        <div className={styles.bar}>{children}</div>
        <Preview file={file} documentId={document.uid} />
      </>
    )
  }
  const { isChoosing, setChoosing, page, setPage } = annotating
  return (
    <>
      <div className={styles.bar}>
        {children}
        <span className={styles.spring} />
        <Button look="quiet" onPress={() => setChoosing(!isChoosing)}>
          {isChoosing ? <X size={16} aria-hidden /> : <MapPinPlus size={16} aria-hidden />}
          {say(isChoosing ? 'stop' : 'annotate')}
        </Button>
      </div>
      {isChoosing ? (
        <p className={styles.hint} role="status">
          {say('hint')}
        </p>
      ) : null}
      <Preview
        file={file}
        documentId={document.uid}
        view={{
          page,
          onPage: setPage,
          layer: (shown) => <AnnotationLayer documentId={document.uid} page={shown} />,
        }}
      />
    </>
  )
}
