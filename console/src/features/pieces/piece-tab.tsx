import { useMemo } from 'react'
import type { TabApi } from '../../../../src/console.ts'
import type { PlacedPiece } from '../../api/pieces.ts'
import type { Document } from '../../api/types.ts'
import { PieceHost } from './piece-host.tsx'
import styles from './pieces.module.css'
import { usePieceApi } from './use-piece-api.ts'

/** A view of a document that a plugin adds. */
export function PieceTab({ piece, document }: { readonly piece: PlacedPiece; readonly document: Document }) {
  const api = usePieceApi()
  const handed = useMemo(() => ({ ...api, document }), [api, document])
  return (
    <div className={styles.tab}>
      <PieceHost<TabApi> component={piece} api={handed} />
    </div>
  )
}
