import { Maximize, ZoomIn, ZoomOut } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Blob } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import type { PageView } from './page-view.ts'
import styles from './preview.module.css'
import { usePreviewWords } from './words.ts'

const largest = 8
const step = 1.5

/** A picture that fits, or as large as somebody wants it. */
export function PicturePreview({ file, view }: { readonly file: Blob; readonly view: PageView | undefined }) {
  const say = usePreviewWords()
  const frame = useRef<HTMLDivElement>(null)
  const picture = useRef<HTMLImageElement>(null)
  /** Its width in pixels; undefined where it fits. */
  const [width, setWidth] = useState<number>()
  // A drawing has no size of its own: it takes what there is.
  const isDrawing = file['mime-type'] === 'image/svg+xml' && width === undefined
  const zoom = (factor: number) => {
    const shown = picture.current
    if (shown === null) return
    const next = shown.clientWidth * factor
    setWidth(Math.min(next, Math.max(shown.naturalWidth, 600) * largest))
  }
  return (
    <div ref={frame} className={styles.whole}>
      <div className={styles.bar}>
        <Button look="quiet" aria-label={say('zoomOut')} onPress={() => zoom(1 / step)}>
          <ZoomOut size={18} aria-hidden />
        </Button>
        <Button look="quiet" aria-label={say('zoomIn')} onPress={() => zoom(step)}>
          <ZoomIn size={18} aria-hidden />
        </Button>
        <Button look="quiet" isDisabled={width === undefined} onPress={() => setWidth(undefined)}>
          {say('fits')}
        </Button>
        <Button look="quiet" aria-label={say('wholeScreen')} onPress={() => void frame.current?.requestFullscreen()}>
          <Maximize size={18} aria-hidden />
        </Button>
      </div>
      <div className={width === undefined ? undefined : styles.zoomed} {...(width !== undefined && { tabIndex: 0 })}>
        <div className={styles.framed} data-drawn={isDrawing}>
          <img
            ref={picture}
            className={styles.picture}
            src={file.data}
            alt={say('picture', { name: file.name ?? '' })}
            {...(width !== undefined && { style: { inlineSize: `${width}px` } })}
          />
          {view?.layer(1)}
        </div>
      </div>
    </div>
  )
}
