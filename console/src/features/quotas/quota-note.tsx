import { useQuery } from '@tanstack/react-query'
import { meQuery } from '../../api/documents.ts'
import { type Document, isFolder } from '../../api/types.ts'
import { useFormats } from '../../words/formats.ts'
import styles from './quota.module.css'
import { fullnessOf, type Quota, sharesOf } from './quota.ts'
import { QuotaButton } from './quota-button.tsx'
import { quotaQuery } from './quota-changes.ts'
import { useQuotaWords } from './words.ts'

/** Of a folder with a quota: how much of it is used, and by what. */
export function QuotaNote({ document }: { readonly document: Document }) {
  const quota = document.contextParameters?.quota
  return quota && isFolder(document) ? <KnownQuota document={document} known={quota} /> : null
}

function KnownQuota({ document, known }: { readonly document: Document; readonly known: Quota }) {
  const say = useQuotaWords()
  const { size } = useFormats()
  const { data: me } = useQuery(meQuery)
  const { data: quota } = useQuery(quotaQuery(document, known))
  if (quota === null) return null
  const { totalSize, maxSize } = quota
  const used =
    maxSize === 0
      ? say('usedWithoutLimit', { used: size(totalSize) })
      : say('used', { used: size(totalSize), max: size(maxSize) })
  const fullness = fullnessOf(quota)
  return (
    <section className={styles.quota} aria-label={say('quota')}>
      <div className={styles.head}>
        <strong>{used}</strong>
        {fullness === 'roomy' ? null : (
          <span className={styles.warning} data-fullness={fullness}>
            {say(fullness)}
          </span>
        )}
        {me?.isAdministrator ? <QuotaButton document={document} /> : null}
      </div>
      <QuotaBar quota={quota} used={used} />
    </section>
  )
}

function QuotaBar({ quota, used }: { readonly quota: Quota; readonly used: string }) {
  const say = useQuotaWords()
  const { size } = useFormats()
  const shares = sharesOf(quota)
  const most = quota.maxSize || Math.max(1, quota.totalSize)
  return (
    <>
      <meter
        className="only-read"
        aria-label={say('quota')}
        aria-valuetext={used}
        max={most}
        value={Math.min(quota.totalSize, most)}
      />
      <div className={styles.bar} aria-hidden>
        {shares.map(({ kind, share }) => (
          <span key={kind} data-kind={kind} style={{ inlineSize: `${share * 100}%` }} />
        ))}
      </div>
      <ul className={styles.legend}>
        {shares.map(({ kind, bytes }) => (
          <li key={kind} data-kind={kind}>
            {say(kind)} {size(bytes)}
          </li>
        ))}
      </ul>
    </>
  )
}
