import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { tell } from '../../ui/toasts.tsx'
import styles from './drop-zone.module.css'
import { readDropped } from './dropped-files.ts'
import { placeDropped } from './place-dropped.ts'
import { useUploadWords } from './words.ts'

export interface DropZoneProps {
  readonly folderId: string
  readonly mayAdd: boolean
  readonly children: ReactNode
}

/** Files and folders that are dropped here go into the folder, unless it takes nothing from who drops them. */
export function DropZone({ folderId, mayAdd, children }: DropZoneProps) {
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
        if (!mayAdd) return tell({ kind: 'problem', text: say('mayNotAdd') })
        readDropped(event.dataTransfer.items)
          .then((dropped) => placeDropped(dropped, folderId))
          .catch((error: Error) => tell({ kind: 'problem', text: error.message }))
      }}
    >
      {children}
      {isOver ? <div className={styles.veil}>{say(mayAdd ? 'dropHere' : 'mayNotAdd')}</div> : null}
    </div>
  )
}
