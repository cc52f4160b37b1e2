/** The neighbours of bench/scheduler.ts: other queues that run no-op jobs on the same PostgreSQL. */
import { makeWorkerUtils, run as runWorker, Logger, type Runner } from "graphile-worker"
import { Pool } from "pg"
import { PgBoss } from "pg-boss"

interface OpenQueue {
  readonly enqueue: (count: number, due: Date) => Promise<void>
  readonly start: () => Promise<void>
  readonly close: () => Promise<void>
}

export interface Neighbour {
  readonly name: string
  readonly open: (url: string, done: () => void) => Promise<OpenQueue>
}

/** PostgreSQL's speed without any promise: no marker, no lease, no order. Two loops, 100 at a time, poll each 250 ms. */
export const bareLoop: Neighbour = {
  name: "bare loop",
  open: async (url, done) => {
    const pool = new Pool({ connectionString: url, max: 4 })
    await pool.query(`create table if not exists bare_jobs (
      id bigint generated always as identity primary key, due_at timestamptz not null, state int not null default 0)`)
    await pool.query("create index if not exists bare_jobs_due on bare_jobs (due_at) where state = 0")
    await pool.query("truncate bare_jobs")
    const stop = new AbortController()
    const loops: Array<Promise<void>> = []
    const loop = async () => {
      while (!stop.signal.aborted) {
        const { rows } = await pool.query({
          name: "claim",
          text: `update bare_jobs set state = 1 where id in (
            select id from bare_jobs where state = 0 and due_at <= now() order by due_at limit 100
            for update skip locked) returning id`
        })
        for (const _ of rows) done()
        if (rows.length > 0)
          await pool.query({
            name: "finish",
            text: "update bare_jobs set state = 2 where id = any($1::bigint[])",
            values: [rows.map(({ id }) => id)]
          })
        else await new Promise((resolve) => setTimeout(resolve, 250))
      }
    }
    return {
      enqueue: async (count, due) => {
        await pool.query("insert into bare_jobs (due_at) select $2 from generate_series(1, $1::int)", [
          count,
          due
        ])
      },
      start: async () => {
        loops.push(loop(), loop())
      },
      close: async () => {
        stop.abort()
        await Promise.all(loops)
        await pool.end()
      }
    }
  }
}

export const graphileWorker: Neighbour = {
  name: "graphile-worker, local queue of 500",
  open: async (url, done) => {
    const logger = new Logger(() => () => undefined)
    const utils = await makeWorkerUtils({ connectionString: url, logger })
    await utils.migrate()
    let runner: Runner | undefined
    return {
      enqueue: async (count, due) => {
        await utils.addJobs(
          Array.from({ length: count }, () => ({ identifier: "nothing", payload: {}, runAt: due }))
        )
      },
      start: async () => {
        runner = await runWorker({
          connectionString: url,
          logger,
          concurrency: 10,
          pollInterval: 500,
          noHandleSignals: true,
          taskList: { nothing: async () => done() },
          preset: { worker: { localQueue: { size: 500 }, completeJobBatchDelay: 0 } }
        })
      },
      close: async () => {
        await runner?.stop()
        await utils.release()
      }
    }
  }
}

export const pgBoss: Neighbour = {
  name: "pg-boss, 100 at a time, two workers, poll 0.5 s, burst",
  open: async (url, done) => {
    const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false })
    boss.on("error", () => undefined)
    await boss.start()
    await boss.createQueue("nothing")
    await boss.deleteAllJobs("nothing")
    const work = () =>
      boss.work(
        "nothing",
        { batchSize: 100, pollingIntervalSeconds: 0.5, burstWhenBatchFull: true },
        async (jobs) => {
          for (const _ of jobs) done()
        }
      )
    return {
      enqueue: async (count, due) => {
        for (let from = 0; from < count; from += 1000) {
          await boss.insert(
            "nothing",
            Array.from({ length: Math.min(1000, count - from) }, () => ({ startAfter: due }))
          )
        }
      },
      start: async () => {
        await work()
        await work()
      },
      close: () => boss.stop({ graceful: false })
    }
  }
}
