import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { documentQuery } from '../../api/documents.ts'
import { type Blob, propertyOf } from '../../api/types.ts'
import styles from './preview.module.css'
import { usePreviewWords } from './words.ts'

interface Scene {
  readonly content: Blob | null
  /** In seconds. */
  readonly timecode: number | null
}

/** A video, and pictures of its scenes that lead to them where the server has made some. */
export function VideoPreview({ file, documentId }: { readonly file: Blob; readonly documentId: string }) {
  const say = usePreviewWords()
  const video = useRef<HTMLVideoElement>(null)
  const { data: document } = useQuery(documentQuery({ id: documentId }))
  const scenes = (document && propertyOf<readonly Scene[]>(document, 'vid:storyboard')) ?? []
  const go = (seconds: number) => {
    if (video.current === null) return
    video.current.currentTime = seconds
    video.current.focus()
  }
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: captions are in the file, if anywhere */}
      <video ref={video} className={styles.picture} src={file.data} controls preload="metadata" aria-label={file.name ?? ''} />
      {scenes.length === 0 ? null : (
        <ol className={styles.scenes} aria-label={say('storyboard')}>
          {scenes.map(({ content, timecode }, index) =>
            content === null ? null : (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
              <li key={index}>
                <button
                  type="button"
                  aria-label={say('scene', { time: timeOf(timecode ?? 0) })}
                  onClick={() => go(timecode ?? 0)}
                >
                  <img src={content.data} alt="" loading="lazy" />
                  {timeOf(timecode ?? 0)}
                </button>
              </li>
            ),
          )}
        </ol>
      )}
    </>
  )
}

function timeOf(seconds: number): string {
  const [minutes, rest] = [Math.floor(seconds / 60), Math.floor(seconds % 60)]
  return `${minutes}:${String(rest).padStart(2, '0')}`
}
