import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { useMemo } from 'react'
import type { PageApi } from '../../../../src/console.ts'
import { type PieceComponent, piecesQuery } from '../../api/pieces.ts'
import { Message } from '../../ui/message.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Shown } from '../problems/shown.tsx'
import { PieceHost } from './piece-host.tsx'
import styles from './pieces.module.css'
import { usePieceApi } from './use-piece-api.ts'
import { usePieceTexts } from './use-pieces.ts'
import { usePieceWords } from './words.ts'

const route = getRouteApi('/plugins/$plugin/$page/$')

/** A page that a plugin adds, at an address of its own. */
export function PiecePage() {
  const say = usePieceWords()
  const { plugin, page: name, _splat: address = '' } = route.useParams()
  const textOf = usePieceTexts()
  return (
    <Shown query={useQuery(piecesQuery)} waiting={<Skeleton />} isPage>
      {({ pages }) => {
        const page = pages.find((one) => one.plugin === plugin && one.name === name)
        if (page === undefined) {
          return (
            <Message icon={Compass} title={say('noPage')} isPage>
              <p>{say('noPageHint')}</p>
            </Message>
          )
        }
        return (
          <div className={styles.page}>
            <h1>{textOf(page.label)}</h1>
            <ShownPage key={`${plugin}/${name}`} page={page} address={address} />
          </div>
        )
      }}
    </Shown>
  )
}

function ShownPage({ page, address }: { readonly page: PieceComponent; readonly address: string }) {
  const api = usePieceApi()
  const handed = useMemo(() => ({ ...api, address }), [api, address])
  return <PieceHost<PageApi> component={page} api={handed} />
}
