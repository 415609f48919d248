import { describe, expect, test } from "bun:test";
import { threadMs } from "../../../../test/support/thread-time.ts";
import { saysOutOfTime, saysOutright, saysRunOutOfTime } from "./out-of-time.ts";

const OUT_OF_TIME = [
  "TimeoutError",
  "asyncio.exceptions.TimeoutError: ",
  "APITimeoutError: Request timed out.",
  "MCP error -32001: Request timed out",
  "requests.exceptions.ReadTimeout: HTTPSConnectionPool(host='x', port=443): Read timed out. (read timeout=10)",
  "connect ETIMEDOUT 10.2.3.4:5432",
  "java.net.SocketTimeoutException",
  "context deadline exceeded (Client.Timeout exceeded while awaiting headers)",
  'rpc error: code = DeadlineExceeded desc = "stream"',
  "Task timed out after 900.00 seconds",
  "Sandbox.Timedout",
  "FUNCTION_INVOCATION_TIMEOUT",
  "[CRITICAL] WORKER TIMEOUT (pid:71)",
  "canceling statement due to statement timeout",
  "Query execution was interrupted, maximum statement execution time exceeded",
  "Execution Timeout Expired. The timeout period elapsed prior to completion of the operation.",
  "Statement reached its statement or warehouse timeout of 600 second(s) and was canceled.",
  "operation exceeded time limit",
  "celery.exceptions.SoftTimeLimitExceeded()",
  "The job running on runner 4 has exceeded the maximum execution time of 360 minutes.",
  "exceeded max_execution_time",
  "Job was active longer than specified deadline",
  "States.Timeout",
  "activity StartToClose timeout (type TIMEOUT_TYPE_START_TO_CLOSE)",
  "Timeout 30000ms exceeded.",
  "The run ran out of time before the report was written",
  "time budget of 300 s used up",
  "no response from the ledger within 30 s",
  "The agent did not finish in the allotted time",
  "process killed after 1800 seconds",
  "gave up after waiting for 5 minutes",
  "504 Gateway Time-out",
  "Timeout value of 00:05:00 exceeded by function 'Functions.Quote'",
  "Function execution took 540001 ms, finished with status: 'timeout'",
  "The request was canceled due to the configured HttpClient.Timeout of 100 seconds elapsing.",
  "The request has been terminated because it has reached the maximum request timeout.",
  "airflow.exceptions.AirflowTaskTimeout: Timeout, PID: 123",
  "Flow run exceeded timeout of 60.0 second(s)",
  "Exceeded maximum runtime of 3600 seconds",
  "JOB 4711 ON node7 CANCELLED AT 03:00 DUE TO TIME LIMIT",
  "** (EXIT) time out",
  "Net::ReadTimeout with #<TCPSocket:(closed)>",
  "Maximum execution time of 30 seconds exceeded",
  "The operation was aborted due to timeout",
  "wall clock limit of 1800 s reached",
  "the step took too long",
  "=>> PBS: job killed: walltime 3612 exceeded limit 3600",
  "max_runtime_seconds exceeded",
  "time's up, stopping",
  "DeadlineMissed",
  "run_expired",
  "step took 301 s (limit 300 s)",
  "terminated by the supervisor watchdog",
  "The agent exceeded its budget of 300 seconds",
  "Cancelado después de 45 minutos",
  "Arrêté par l'opérateur après 45 minutes",
  "Run hangs for 50 minutes",
  "stopped: over the 30 min limit",
  "no heartbeat for 600 s, process killed",
  "Too long with no output (exceeded 10m0s): context deadline",
  "Duration limit (900s) hit",
  "La tarea ha superado el tiempo máximo de ejecución",
  "Se ha agotado el tiempo de espera de la conexión con el servicio",
  "Tempo limite esgotado ao consultar o banco",
  "Le délai d'attente est dépassé",
  "Délai d’exécution expiré",
  "Zeitüberschreitung bei der Anfrage",
  "Der Auftrag hat das Zeitlimit von 10 Minuten erreicht",
  "Der Dienst hat nicht rechtzeitig geantwortet",
  "Tempo di attesa scaduto",
  "De tijdslimiet is bereikt",
  "Przekroczono limit czasu żądania",
  "Превышено время ожидания ответа",
  "İstek zaman aşımına uğradı",
  "请求超时",
  "処理がタイムアウトしました",
  "요청 시간이 초과되었습니다",
  "انتهت مهلة الطلب",
];

const NOT_OUT_OF_TIME = [
  "",
  "TypeError: fetch() got an unexpected keyword argument 'timeout'",
  "KeyError: 'timeout'",
  "ValueError: timeout must be a positive number",
  "Invalid value for timeout: -1",
  "unknown option --connect-timeout",
  "missing required field read_timeout",
  "ModuleNotFoundError: No module named 'async_timeout'",
  "Error: connect failed (timeout: 30) with status 401",
  "401 Unauthorized: token expired",
  "certificate has expired",
  "session expired, please log in again",
  "429 Too Many Requests: rate limit exceeded, retry after 20 s",
  "maximum number of requests exceeded for this hour",
  "maximum iterations exceeded",
  "recursion limit of 25 reached",
  "The submission deadline has passed",
  "Offer expired on 3 March",
  "Clip exceeds the maximum length of 60 seconds",
  "Booking must not be longer than 4 hours",
  "No results found in the last 30 days",
  "Killed (out of memory)",
  "HttpClient.Timeout is configured twice",
  "tests for the timeout option failed",
  "exit code 137",
  "cancelled by the user after 3 minutes",
  "gave up after 3 attempts",
  "the token of the run is invalid",
  "took 12 s to build",
  "keep the watchdog process alive",
  "Cancelado por el cliente tras la llamada",
  "the offer expired",
  "no progress in the negotiation",
  "over 30 rows in the limit table",
  "estimated running time: 5 min",
  "a run-time error '13' occurred",
  "Fehlerhafte Zeitangabe",
  "tiempo no disponible para esa ciudad",
  "El plazo de entrega es de tres días",
  "le temps est couvert",
];

describe("time that ran out, told by an error", () => {
  test.each(OUT_OF_TIME)("%s", (text) => expect(saysOutOfTime(text)).toBe(true));
});

describe("what is no time running out", () => {
  test.each(NOT_OUT_OF_TIME)("%s", (text) => expect(saysOutOfTime(text)).toBe(false));
});

test("the middle of a long error is not read, its ends are", () => {
  const filler = "x ".repeat(2_000);
  expect(saysOutOfTime(`Request timed out ${filler}`)).toBe(true);
  expect(saysOutOfTime(`${filler} Request timed out`)).toBe(true);
  expect(saysOutOfTime(`${filler} Request timed out ${filler}`)).toBe(false);
});

test("a bare word is not outright", () => {
  expect(saysOutright("Caller hung up, timeout question answered")).toBe(false);
  expect(saysOutright("watchdog: the run exceeded its time limit")).toBe(true);
});

test("a run's own time, and that of a request", () => {
  for (const text of [
    "Task timed out after 900.00 seconds",
    "Pod: DeadlineExceeded",
    "workflow execution timeout",
  ])
    expect(saysRunOutOfTime(text)).toBe(true);
  for (const text of ["Request timed out", "connection to redis timed out", "the job was restarted"])
    expect(saysRunOutOfTime(text)).toBe(false);
});

test("64 KiB of near-misses are got through", () => {
  const pieces = [
    "exceeded --a=-",
    "exceeded '':",
    "execution_time_",
    "temps l'",
    "no response ",
    "after 1 s ",
    "gave up a ",
  ];
  for (const piece of [
    ...pieces,
    "agotado a ",
    "nicht innerhalb a ",
    "timeout-",
    "setting a-",
    "watchdog ",
  ]) {
    const text = piece.repeat(Math.ceil(65_536 / piece.length));
    const startedMs = threadMs();
    for (let i = 0; i < 20; i++) saysRunOutOfTime(`run ${text}`);
    expect(threadMs() - startedMs).toBeLessThan(1_000);
  }
});
