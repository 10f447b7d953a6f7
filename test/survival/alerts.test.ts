/** Each alert fires when its condition lasts and stops when it ends, in Prometheus' own engine (`promtool test rules`). */
import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { alertsFile, readAlerts } from '../deploy/alerts.ts'
import { createFolder } from '../folder.ts'

type Case = {
  /** Values a minute apart, as promtool writes them: `0x9 1x30 0x60` is 0 ten times, 1, then 0. */
  series: Record<string, string>
  /** Minutes after the beginning when it is still silent, fires, and is silent again. */
  at: [before: number, firing: number, after: number]
}

/** Fine for ten minutes, bad for forty, then fine for an hour and a half. */
const times = (fine: number, bad: number) => `${fine}x9 ${bad}x39 ${fine}x89`
/** A counter that grows by `fine` a minute while all is well, and by `bad` otherwise. */
const grows = (fine: number, bad: number) =>
  `0+${fine}x9 ${fine * 10}+${bad}x39 ${fine * 10 + bad * 40}+${fine}x89`

const gauge = (series: string, fine: number, bad: number): Case => ({
  series: { [series]: times(fine, bad) },
  at: [9, 45, 80],
})
const counter = (series: string, fine: number, bad: number): Case => ({
  series: { [series]: grows(fine, bad) },
  at: [9, 45, 100],
})

const node = 'job="tessera",instance="a:4000"'
const buckets = 'tessera_http_request_seconds_bucket'

const cases: Record<string, Case> = {
  TesseraNodeDown: gauge(`up{${node}}`, 1, 0),
  TesseraDatabaseNotWritable: gauge(`tessera_database_writable{${node}}`, 1, 0),
  TesseraErrors: {
    series: {
      [`tessera_http_request_seconds_count{${node},status="200"}`]: '0+600x140',
      [`tessera_http_request_seconds_count{${node},status="503"}`]: grows(1, 30),
    },
    at: [9, 45, 100],
  },
  TesseraSlow: {
    series: {
      [`${buckets}{${node},route="/v1/points/award",le="1"}`]: grows(100, 90),
      [`${buckets}{${node},route="/v1/points/award",le="5"}`]: '0+100x140',
      [`${buckets}{${node},route="/v1/points/award",le="+Inf"}`]: '0+100x140',
      // Streams are open for hours, and are not slow.
      [`${buckets}{${node},route="/graphql",le="+Inf"}`]: '0+1000x140',
    },
    at: [9, 45, 100],
  },
  TesseraPoolExhausted: gauge(`tessera_database_waiting{${node},pool="main"}`, 0, 3),
  TesseraQueueFull: counter(`tessera_limit_hits_total{${node},limit="queue"}`, 0, 10),
  TesseraEventLoopBlocked: gauge(`nodejs_eventloop_lag_p99_seconds{${node}}`, 0.01, 0.5),
  TesseraFilesRunOut: {
    series: {
      [`process_open_fds{${node}}`]: times(100, 900),
      [`process_max_fds{${node}}`]: times(1000, 1000),
    },
    at: [9, 45, 80],
  },
  TesseraJobLate: {
    series: {
      [`tessera_job_late{${node},name="run-lotteries"}`]: times(0, 1),
      // A node that has just started does not know yet.
      [`tessera_job_late{job="tessera",instance="b:4000",name="run-lotteries"}`]: times(0, 0),
    },
    at: [9, 45, 80],
  },
  TesseraJobFails: {
    ...counter(`tessera_job_seconds_count{${node},name="send-mail",outcome="failure"}`, 0, 1),
    at: [9, 45, 110],
  },
  TesseraWebhooksLate: gauge(`tessera_webhook_oldest_due_seconds{${node}}`, 1, 400),
  TesseraWebhookBacklog: gauge(`tessera_webhook_pending{${node}}`, 50, 10_000),
  TesseraFeedBehind: gauge(`tessera_feed_behind_seconds{${node}}`, 0, 60),
  TesseraMonthsMissing: gauge(`tessera_months_ahead{${node}}`, 2, 0),
  TesseraRedisDown: {
    series: {
      [`tessera_redis_connected{${node},connection="publish"}`]: times(1, 1),
      [`tessera_redis_connected{${node},connection="subscribe"}`]: times(1, 0),
    },
    at: [9, 45, 80],
  },
  TesseraStandbyUnused: gauge(`tessera_standby_usable{${node}}`, 1, 0),
  TesseraNoNotifications: gauge(`tessera_degraded{${node},part="notifications"}`, 0, 1),
  TesseraJobsNotHere: gauge(`tessera_degraded{${node},part="jobs"}`, 0, 1),
  TesseraRequestsRefused: counter(`tessera_limit_hits_total{${node},limit="requests"}`, 6, 1_800),
  TesseraMixedVersions: {
    series: {
      [`tessera_build_info{${node},version="0.1.0"}`]: '1x300',
      [`tessera_build_info{job="tessera",instance="b:4000",version="0.2.0"}`]: '_x9 1x120 _x89',
    },
    at: [9, 100, 200],
  },
}

/** A healthy node has none of these series. */
const noise = {
  'up{job="other",instance="c:80"}': '0x300',
  'nodejs_eventloop_lag_p99_seconds{job="other",instance="c:80"}': '9x300',
}

const file = join(createFolder('alerts'), 'test.json')

/** The output of promtool for one alert at these minutes; empty if it is as expected. */
const faultsOf = (alert: string, { series, at }: Case): string => {
  const isFiring = [false, true, false]
  const spec = {
    rule_files: [fileURLToPath(alertsFile)],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: Object.entries({ ...series, ...noise }).map(([series, values]) => ({
          series,
          values,
        })),
        promql_expr_test: at.map((minute, i) => ({
          expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
          eval_time: `${minute}m`,
          exp_samples: isFiring[i] ? [{ labels: `{alertname="${alert}"}`, value: 1 }] : [],
        })),
      },
    ],
  }
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(spec))
  try {
    execFileSync('promtool', ['test', 'rules', file], { encoding: 'utf8', stdio: 'pipe' })
    return ''
  } catch (error) {
    const {
      stdout = '',
      stderr = '',
      message,
    } = error as { stdout?: string; stderr?: string; message: string }
    return stdout + stderr || message
  }
}

/** Debian's package `prometheus` has it. */
const isInstalled = spawnSync('promtool', ['--version']).status === 0

test('each alert has a case', () => {
  expect(Object.keys(cases)).toEqual(readAlerts().map(({ alert }) => alert))
})

describe.skipIf(!isInstalled)('an alert is silent, fires alone, and is silent again', () => {
  test.each(Object.entries(cases))('%s', (alert, item) => {
    expect(faultsOf(alert, item)).toBe('')
  })
})

test.skipIf(!isInstalled)('a condition that does not occur is noticed', () => {
  const healthy = { ...(cases['TesseraNodeDown'] as Case), series: { [`up{${node}}`]: '1x300' } }
  expect(faultsOf('TesseraNodeDown', healthy)).toContain('TesseraNodeDown')
})

test.skipIf(!isInstalled)('Prometheus accepts the rules', () => {
  const checked = execFileSync('promtool', ['check', 'rules', fileURLToPath(alertsFile)], {
    encoding: 'utf8',
  })
  expect(checked).toContain(`${readAlerts().length} rules found`)
})
