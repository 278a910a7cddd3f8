import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { tell } from '../../ui/toasts.tsx'
import styles from './drop-zone.module.css'
import { readDropped } from './dropped-files.ts'
import { placeDropped } from './place-dropped.ts'
import { useUploadWords } from './words.ts'

/** Files and folders that are dropped here go into the folder. */
export function DropZone({ folderId, children }: { readonly folderId: string; readonly children: ReactNode }) {
  const say = useUploadWords()
  const depth = useRef(0)
  const [isOver, setOver] = useState(false)
  const follow = (change: number) => (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    depth.current += change
    setOver(depth.current > 0)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: whoever cannot drag has the button to upload
    <div
      className={styles.zone}
      onDragEnter={follow(1)}
      onDragOver={follow(0)}
      onDragLeave={follow(-1)}
      onDrop={(event) => {
        event.preventDefault()
        depth.current = 0
        setOver(false)
        readDropped(event.dataTransfer.items)
          .then((dropped) => placeDropped(dropped, folderId))
          .catch((error: Error) => tell({ kind: 'problem', text: error.message }))
      }}
    >
      {children}
      {isOver ? <div className={styles.veil}>{say('dropHere')}</div> : null}
    </div>
  )
}
