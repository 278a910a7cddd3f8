import { useQuery } from '@tanstack/react-query'
import { type Storage, storageQuery } from '../../api/administration/server-state.ts'
import { BarChart } from '../../ui/bar-chart.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useFormats } from '../../words/formats.ts'
import { useLanguage } from '../../words/words.ts'
import { useTypeNames } from '../documents/type-words.ts'
import { PersonName } from '../people/person.tsx'
import { Shown } from '../problems/shown.tsx'
import { growthOf } from './figures.ts'
import styles from './server.module.css'
import { useServerWords } from './words.ts'

/** What documents and their files take, as it was last counted. */
export function StorageFigures() {
  const say = useServerWords()
  return (
    <div className={styles.wide}>
      <Panel title={say('storage')}>
        <Shown query={useQuery(storageQuery)} waiting={<Skeleton />}>
          {(storage) => <Figures storage={storage} />}
        </Shown>
      </Panel>
    </div>
  )
}

function Figures({ storage }: { readonly storage: Storage }) {
  const say = useServerWords()
  const { moment, number, size } = useFormats()
  const { measured, isMeasuring, documents, files, bytes } = storage
  return (
    <div className={styles.stack}>
      <p className={styles.quiet} role="status">
        {isMeasuring ? say('measuring') : say('measured', { moment: moment(measured) })}
      </p>
      {measured === null ? null : (
        <>
          <p>
            <strong>{size(bytes)}</strong> · {say('files', { count: files })} · {say('documents', { count: documents })}
          </p>
          <div className={styles.charts}>
            <ByType storage={storage} />
            <section>
              <h3>{say('byPerson')}</h3>
              <table className={styles.people}>
                <thead>
                  <tr>
                    <th scope="col">{say('person')}</th>
                    <th scope="col">{say('bytes')}</th>
                    <th scope="col">{say('documentsHead')}</th>
                  </tr>
                </thead>
                <tbody>
                  {storage.people.slice(0, mostShown).map((person) => (
                    <tr key={person.name}>
                      <td>{person.name === '' ? say('nobody') : <PersonName reference={person.name} />}</td>
                      <td>{size(person.bytes)}</td>
                      <td>{number(person.documents)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
            <ByMonth storage={storage} />
          </div>
        </>
      )}
    </div>
  )
}

const mostShown = 10

function ByType({ storage: { types } }: { readonly storage: Storage }) {
  const say = useServerWords()
  const typeName = useTypeNames()
  const { number, size } = useFormats()
  return (
    <section>
      <h3>{say('byType')}</h3>
      <BarChart
        label={say('byType')}
        direction="lying"
        bars={types.slice(0, mostShown).map(({ name, bytes, documents }) => ({
          key: name,
          label: typeName(name),
          value: bytes,
          said: `${size(bytes)} (${number(documents)})`,
        }))}
      />
    </section>
  )
}

function ByMonth({ storage }: { readonly storage: Storage }) {
  const say = useServerWords()
  const { size } = useFormats()
  const language = useLanguage()
  const months = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const nameOf = (month: string | undefined) => (month === undefined ? '' : months.format(new Date(`${month}-15T00:00:00Z`)))
  const growth = growthOf(storage)
  return (
    <section>
      <h3>{say('byMonth')}</h3>
      <BarChart
        label={say('byMonth')}
        direction="standing"
        bars={growth.map(({ month, bytes, sum }) => ({
          key: month,
          label: nameOf(month),
          value: sum,
          said: say('grown', { bytes: size(bytes), sum: size(sum) }),
        }))}
      />
      <p className={styles.ends}>
        <span>{nameOf(growth[0]?.month)}</span>
        <span>{growth.length > 1 ? nameOf(growth.at(-1)?.month) : ''}</span>
      </p>
    </section>
  )
}
