import { describe, expect, test } from "bun:test";
import { threadMs } from "../../../../test/support/thread-time.ts";
import { parseStack, stackKey } from "./normalise-stack.ts";

const names = (stack: string) => parseStack(stack).map((frame) => `${frame.file}:${frame.name}`);
const own = (stack: string) =>
  parseStack(stack)
    .filter((frame) => frame.inApp)
    .map((frame) => frame.name);

describe("Python", () => {
  const trace = (frames: readonly string[], error: string) =>
    `Traceback (most recent call last):\n${frames.map((frame) => `  ${frame}\n    call()`).join("\n")}\n${error}`;

  test("the frame that threw comes first, packages and the interpreter's own files are none of ours", () => {
    const stack = trace(
      [
        'File "/srv/bot/run.py", line 3, in main',
        'File "/srv/bot/.venv/lib/python3.12/site-packages/sdk/client.py", line 9, in call',
        'File "C:\\Users\\ann\\AppData\\Local\\Programs\\Python\\Python311\\Lib\\asyncio\\runners.py", line 44, in run',
        'File "/opt/python/lib/python3.11/json/decoder.py", line 1, in decode',
        'File "<frozen runpy>", line 1, in _run_code',
        'File "frames/index.pyx", line 7, in frames.Index.get',
        'File "C:\\bot\\tools.py", line 12, in read',
      ],
      "KeyError: 1",
    );
    expect(own(stack)).toEqual(["read", "main"]);
    expect(stackKey(stack)).toBe("tools.py:read|run.py:main");
  });

  test("a comprehension is a frame in some versions and none in others", () => {
    const frames = [
      'File "a.py", line 1, in f',
      'File "a.py", line 1, in <listcomp>',
      'File "a.py", line 2, in g',
    ];
    expect(stackKey(trace(frames, "E"))).toBe(stackKey(trace(frames.toSpliced(1, 1), "E")));
  });

  test("cells of notebooks and files made for one run have no name of their own", () => {
    const key = (file: string) => stackKey(trace([`File "${file}", line 1, in step`], "E: 1"));
    expect(key("<ipython-input-12-9f2e1a>")).toBe("<ipython-input>:step");
    expect(key("/tmp/ipykernel_4123/2837465.py")).toBe("<ipython-input>:step");
    for (const file of ["/tmp/tmpab12_x9z.py", "/tmp/tmpq8_wy7ab.py"]) expect(key(file)).toBe("tmp.py:step");
    expect(key("/x/job_1718000000.py")).toBe(key("/x/job_1719999999.py"));
    expect(key("/x/run_9f2e1a7b.py")).toBe(key("/x/run_01ab44cd.py"));
    expect(key("/x/step2.py")).not.toBe(key("/x/step3.py"));
    const cell = (n: number) =>
      `Error\nCell In[${n}], line 3, in step(x)\nFile ~/bot/a.py:7, in read(path)\nE: 1`;
    expect(stackKey(`\u001b[0;31m${cell(3)}`)).toBe("a.py:read|<ipython-input>:step");
    expect(stackKey(cell(17))).toBe(stackKey(cell(3)));
  });

  test("what escaped groups, and with it what it began with", () => {
    const wrapped = (file: string, type: string, how: string) =>
      `${trace([`File "${file}", line 1, in inner`], `${type}: 17`)}\n\n${how}\n\n${trace(['File "outer.py", line 1, in outer'], "AgentError: 2")}`;
    const handling = "During handling of the above exception, another exception occurred:";
    const direct = "The above exception was the direct cause of the following exception:";
    expect(stackKey(wrapped("/a/inner.py", "ValueError", direct))).toBe(
      "outer.py:outer<ValueError:inner.py:inner",
    );
    const keys = [
      wrapped("/a/inner.py", "ValueError", handling),
      wrapped("/a/inner.py", "KeyError", handling),
      wrapped("/a/other.py", "KeyError", handling),
      // Of a cause in a package the type counts: its frames are another's.
      wrapped("/x/site-packages/http.py", "http.Timeout", handling),
    ].map(stackKey);
    expect(new Set(keys).size).toBe(4);
    expect(keys[3]).toBe("outer.py:outer<http.Timeout:");
  });

  test("of a group of exceptions a member tells which failure it is, whichever came first", () => {
    const member = (file: string, type: string) =>
      `    | Traceback (most recent call last):\n    |   File "${file}", line 9, in work\n    |     call()\n    | ${type}: 17\n`;
    const group = (...members: string[]) =>
      `  + Exception Group Traceback (most recent call last):\n  |   File "/a/run.py", line 3, in main\n  |     async with group():\n  | ExceptionGroup: unhandled errors (${members.length} sub-exceptions)\n${members.map((one, i) => `  ${i === 0 ? "+-" : "  "}+---------------- ${i + 1} ----------------\n${one}`).join("")}    +------------------------------------`;
    const a = member("/a/a.py", "KeyError");
    const b = member("/a/b.py", "OSError");
    expect(stackKey(group(a))).toBe("run.py:main<KeyError:a.py:work");
    expect(stackKey(group(b))).toBe("run.py:main<OSError:b.py:work");
    expect(stackKey(group(a, b))).toBe(stackKey(group(b, a)));
  });

  test("a recursion without end is one failure wherever it stopped, and so is a walk of any depth", () => {
    const pingPong = (depth: number) =>
      trace(
        Array.from({ length: depth }, (_, i) => `File "a.py", line 1, in ${i % 2 === 0 ? "ping" : "pong"}`),
        "RecursionError: too deep",
      );
    expect(stackKey(pingPong(990))).toBe(stackKey(pingPong(991)));
    const walk = (depth: number) =>
      trace(
        [
          'File "a.py", line 1, in main',
          ...Array.from(
            { length: depth },
            (_, i) => `File "a.py", line 1, in ${i % 2 === 0 ? "visit" : "each"}`,
          ),
          'File "a.py", line 9, in leaf',
        ],
        "E",
      );
    expect(stackKey(walk(4))).toBe("a.py:leaf|a.py:each|a.py:visit|a.py:main");
    expect(stackKey(walk(60))).toBe(stackKey(walk(4)));
  });

  test("of a trace longer than what is read the throwing end counts", () => {
    const frames = Array.from({ length: 3_000 }, (_, i) => `File "/a/m${i % 50}x.py", line ${i}, in f`);
    expect(stackKey(trace([...frames, 'File "/a/end.py", line 1, in thrower'], "E"))).toStartWith(
      "end.py:thrower|",
    );
  });

  test("what faulthandler writes is read from its other end", () => {
    const dump =
      'Current thread 0x00007f01 (most recent call first):\n  File "/a/b.py", line 9 in f\n  File "/a/run.py", line 3 in main';
    expect(stackKey(dump)).toBe("b.py:f|run.py:main");
  });
});

describe("JavaScript", () => {
  test("every engine's form of a failure is the same group", () => {
    const node =
      "TypeError: x\n    at Module.step (file:///app/src/agent.ts:10:5)\n    at JSON.parse (<anonymous>)\n    at Agent.run [as go] (/app/src/run.ts:3:1)\n    at async Promise.all (index 3)\n    at async loop (/app/src/run.ts:9:1)\n    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)";
    const bun =
      "TypeError: x\n    at step (/home/ann/agent.ts:11:5)\n    at parse (native)\n    at go (/home/ann/run.ts:4:1)\n    at async loop (/home/ann/run.ts:9:1)\n    at processTicksAndRejections (native:7:39)";
    const firefox =
      "step/<@https://a.example/agent.ts:10:5\nrun@https://a.example/run.ts:3:1\nasync*loop@https://a.example/run.ts:9:1";
    expect(stackKey(node)).toBe("agent.ts:step|run.ts:run|run.ts:loop");
    expect(stackKey(firefox)).toBe(stackKey(node));
    expect(stackKey(bun.replace("go (", "run ("))).toBe(stackKey(node));
    expect(stackKey(node.replace("index 3", "index 0"))).toBe(stackKey(node));
  });

  test("old and new runtimes' own files, packages and extensions are none of ours", () => {
    const at = (place: string) => `Error\n    at f (${place}:1:1)\n    at g (/app/a.js:1:1)`;
    for (const place of [
      "internal/process/next_tick.js",
      "events.js",
      "node.js",
      "node:net",
      "ext:core/01_core.js",
      "https://deno.land/std@0.150.0/http/server.ts",
      "webpack/bootstrap",
      "/app/.yarn/cache/x.zip/node_modules/x/i.js",
      "chrome-extension://abc/content.js",
    ]) {
      expect(own(at(place))).toEqual(["g"]);
    }
  });

  test("a hash in a bundle's name and what the minifier called a function do not count", () => {
    const bundle = (hash: string, name: string) =>
      `Error\n    at ${name} (https://a.example/assets/index-${hash}.js:1:200)`;
    const key = stackKey(bundle("BX3k9_aQ", "xe"));
    expect(key).toBe("~index.js:<anonymous>");
    for (const hash of ["9f3a2b1c77", "DaL8w0Zq", "QwErTyUi"]) expect(stackKey(bundle(hash, "t"))).toBe(key);
    expect(stackKey(bundle("BX3k9_aQ", "loadOrders"))).toBe("index.js:loadOrders");
    // A column that nobody writes up to is a bundle's, whatever its name.
    const cli = (name: string) =>
      stackKey(`Error\n    at ${name} (/app/cli.js:992:20412)\n    at run (/app/cli.js:7:5412)`);
    expect(cli("X4.generate")).toBe("cli.js:generate|cli.js:run");
    expect(cli("gY1")).toBe(cli("z$B"));
    expect(stackKey("Error\n    at loadOrders (/app/my-settings.js:1:2)")).toBe("my-settings.js:loadOrders");
  });

  test("lines of a message are no frames", () => {
    expect(
      stackKey("SyntaxError: bad\nat position 17\nat line 3 (see above)\nann@shop.example:8080\n1: two"),
    ).toBe("");
    expect(stackKey("Error: bad\nat position 17\n    at f (/app/a.js:1:2)")).toBe("a.js:f");
  });

  test("an evaluated text is where it was evaluated", () => {
    expect(stackKey("Error\n    at baz (eval at run (https://a.example/a.js:5:1), <anonymous>:1:30)")).toBe(
      "a.js:baz",
    );
    expect(stackKey("baz@https://a.example/a.js line 26 > eval line 2 > eval:1:30")).toBe("a.js:baz");
  });

  test("a list of lines, one with CRLF and one that was written as JSON twice are read alike", () => {
    const lines = "Error: x\n    at f (/app/a.js:1:2)\n    at g (/app/b.js:1:2)";
    expect(stackKey(lines.replaceAll("\n", "\r\n"))).toBe("a.js:f|b.js:g");
    expect(stackKey(lines.replaceAll("\n", "\\n"))).toBe("a.js:f|b.js:g");
    expect(stackKey(`run 7 failed\n${lines.replaceAll("\n", "\\r\\n")}`)).toBe("a.js:f|b.js:g");
  });
});

describe("JVM and .NET", () => {
  test("what the machine makes up at run time does not count", () => {
    const at = (name: string) => stackKey(`E\n\tat ${name}(Agent.java:4)`);
    const same = [
      [
        "com.acme.Svc$$EnhancerBySpringCGLIB$$1a2b3c4d.run",
        "com.acme.Svc$$EnhancerBySpringCGLIB$$99ffee00.run",
      ],
      ["com.acme.Agent$$Lambda$14/0x0000000800c03000.call", "com.acme.Agent$$Lambda/0x00007f21a4.call"],
      ["com.acme.$Proxy7.run", "com.acme.$Proxy31.run"],
      ["app//com.acme.Agent.run", "com.acme.Agent.run"],
    ];
    for (const [one, other] of same) expect(at(one!)).toBe(at(other!));
    // A number that a person gave stays.
    expect(at("com.acme.AgentTest.testIssue582")).not.toBe(at("com.acme.AgentTest.testIssue942"));
  });

  test("a log's archives, line numbers left out and suppressed errors change nothing", () => {
    const plain =
      "E: x\n\tat java.base/java.util.ArrayList.get(ArrayList.java:427)\n\tat com.acme.Agent.step(Agent.java:42)\n\tat org.junit.Test.run(Test.java:1)\nCaused by: java.io.IOException: gone\n\tat com.acme.Net.read(Net.java:7)\n\t... 12 more";
    expect(stackKey(plain)).toBe(":com.acme.Agent.step<java.io.IOException::com.acme.Net.read");
    const logged = plain.replace("(Agent.java:42)", "(Unknown Source) ~[agent-1.4.2.jar:1.4.2]");
    expect(stackKey(logged)).toBe(stackKey(plain));
    const beside =
      "\tSuppressed: java.lang.Error: shut\n\t\tat com.acme.Agent.close(Agent.java:9)\n\t\t... 1 more\n";
    expect(stackKey(plain.replace("Caused by", `${beside}Caused by`))).toBe(stackKey(plain));
    expect(stackKey(plain.replace("java.io.IOException", "java.io.EOFException"))).not.toBe(stackKey(plain));
  });

  test("state machines of C# are the method, and the inner error is what it began with", () => {
    const net = (n: number) =>
      `System.Exception: out\n ---> System.IO.IOException: in\n   at Acme.Net.<ReadAsync>d__${n}.MoveNext() in C:\\src\\Net.cs:line 12\n   --- End of inner exception stack trace ---\n   at Acme.Agent.<>c__DisplayClass${n}_0.<Run>b__${n}(Int32 x) in /src/Agent.cs:line 3\n   at System.Threading.Tasks.Task.Run(Action a)`;
    expect(stackKey(net(3))).toBe(":Acme.Agent.<>c.Run<System.IO.IOException::Acme.Net.ReadAsync");
    expect(stackKey(net(14))).toBe(stackKey(net(3)));
    const generic = (version: string) =>
      `   at Acme.Plan+<MakeAsync>d__3\`2[[System.__Canon, System.Private.CoreLib, Version=${version}, Culture=neutral],[System.__Canon, System.Private.CoreLib, Version=${version}]].MoveNext()\n   at Acme.Run(Int32 n, System.String s)`;
    expect(stackKey(generic("7.0.0.0"))).toBe(":Acme.Plan+MakeAsync|:Acme.Run");
    expect(stackKey(generic("8.0.0.0"))).toBe(stackKey(generic("7.0.0.0")));
  });
});

describe("Go and Rust", () => {
  test("what reports a panic stands before it, and other goroutines behind it", () => {
    const go = (root: string, module: string, n: number) =>
      `goroutine ${n} [running]:\nruntime/debug.Stack()\n\t${root}/runtime/debug/stack.go:26 +0x5e\nacme/agent.report()\n\t${module}/main.go:27 +0x33\npanic({0x4b1e20?, 0xc00001c0f0?})\n\t${root}/runtime/panic.go:787 +0x132\nacme/agent.Map[...]({0xc0000120c0, 0x1, 0x1}, 0xc000)\n\t${module}/map.go:8 +0x1d\nacme/agent.(*Agent).run.func${n}(0x7)\n\t${module}/main.go:12 +0x1d\nmain.main()\n\t${module}/main.go:40 +0x2\ncreated by main.start in goroutine 1\n\t${module}/main.go:9 +0x2\n\ngoroutine 33 [chan receive, 5 minutes]:\nmain.wait()\n\t${module}/wait.go:3 +0x2`;
    const key = stackKey(go("/usr/local/go/src", "/app", 1));
    expect(key).toBe("map.go:acme/agent.Map|main.go:acme/agent.(*Agent).run.func|main.go:main.main");
    expect(stackKey(go("runtime", "acme/agent", 18))).toBe(key);
    expect(stackKey(go("C:/Program Files/Go/src", "/home/u/go/src/github.com/acme/agent", 2))).toBe(key);
    expect(
      stackKey(
        "boom\nacme/agent.step\n\t/app/agent.go:12\nacme/x.Do\n\t/root/go/pkg/mod/acme/x@v1.2.3/x.go:4",
      ),
    ).toBe("agent.go:acme/agent.step");
  });

  test("a backtrace of Rust begins where the panic was called", () => {
    const rust = (hash: string, sources: boolean) => {
      const at = (file: string) => (sources ? `\n             at ${file}:9:5` : "");
      return `thread 'main' panicked at src/main.rs:9:5:\nno row 17\nstack backtrace:\n   0: agent::install::{{closure}}${at("./src/hook.rs")}\n   1: __rustc::rust_begin_unwind${at("/rustc/1a2b/library/std/src/panicking.rs")}\n   2: core::panicking::panic_fmt${at("/rustc/1a2b/library/core/src/panicking.rs")}\n   3: <alloc::vec::Vec<T,A> as core::ops::index::Index<I>>::index${at("/rustc/1a2b/library/alloc/src/vec/mod.rs")}\n   4: agent::tools::read::h${hash}${at("./src/tools.rs")}\n   5: <agent::Agent as agent::Run>::go${at("./src/main.rs")}\n   6: std::panicking::try${at("/rustc/1a2b/library/std/src/panicking.rs")}\n   7: tokio::runtime::task::run${at("/root/.cargo/registry/tokio/src/task.rs")}\n   8: __libc_start_main`;
    };
    const key = stackKey(rust("0123456789abcdef", true));
    expect(key).toBe(":agent::tools::read|:<agent::Agent as agent::Run>::go");
    expect(stackKey(rust("fedcba9876543210", false))).toBe(key);
    // A package is known by where it stands, and a function that was inlined has no number.
    const inlined = `stack backtrace:\n   0: rust_begin_unwind\n             at /rustc/1a2b/library/std/src/panicking.rs:9:5\n   1: pool::Queue::take\n             at /usr/local/cargo/registry/src/x-1ecc/pool-0.4/src/queue.rs:1:2\n   2: agent::tools::read\n             at ./src/tools.rs:3:4\n      agent::Agent::step\n             at ./src/main.rs:3:4`;
    expect(stackKey(inlined)).toBe(":agent::tools::read|:agent::Agent::step");
    const native = (hash: string) =>
      `3  Agent   0x1007c87fc std::panicking::begin_panic::h${hash} + 32 (panicking.rs:272)\n4  Agent   0x1007c8000 agent::read::h${hash} + 8 (a.rs:2)`;
    expect(stackKey(native("0123456789abcdef"))).toBe("Agent:agent::read");
    expect(stackKey("Error: cannot start\n\nCaused by:\n    0: reading orders\n    1: no such file")).toBe(
      "",
    );
  });
});

describe("Ruby, PHP, Elixir, Swift, Dart", () => {
  test("the first line of Ruby holds the message", () => {
    const ruby =
      "/srv/app/agent.rb:12:in `step': no row 17 (KeyError)\n\tfrom /usr/local/lib/ruby/3.2.0/net/http.rb:9:in `get'\n\tfrom C:/app/run.rb:3:in 'Agent#main'\n\tfrom /x/gems/rack-3.0/lib/rack.rb:3:in `call'";
    expect(stackKey(ruby)).toBe("agent.rb:step|run.rb:Agent#main");
  });

  test("PHP counts from the callee, and names what escaped last", () => {
    const php =
      "#0 /srv/app/Net.php(12): Acme\\Net->read('abc', Array)\n#1 /srv/app/vendor/x/y.php(3): call_user_func()\n#2 [internal function]: Acme\\Run::go()\n#3 {main}\n\nNext Acme\\AgentError: out in /srv/app/Agent.php:9\nStack trace:\n#0 /srv/app/run.php(4): Acme\\Agent->step(17)\n#1 {main}";
    expect(stackKey(php)).toBe("run.php:Acme\\Agent->step<:Net.php:Acme\\Net->read");
  });

  test("Elixir's versions and arities, Swift's addresses and Dart's lines do not count", () => {
    const elixir = (version: string) =>
      `** (KeyError) key :id not found\n    (shop ${version}) lib/shop/agent.ex:12: Shop.Agent.step/2\n    (stdlib 4.3) gen_server.erl:1123: :gen_server.try_dispatch/4`;
    expect(stackKey(elixir("0.1.0"))).toBe("agent.ex:Shop.Agent.step");
    expect(stackKey(elixir("0.2.0"))).toBe(stackKey(elixir("0.1.0")));
    const swift = (address: string) =>
      `0   Agent   ${address} Agent.step(Swift.Int) -> () + 48\n1   libswiftCore.dylib   0x00000001a2b3c4d0 start + 4`;
    expect(stackKey(swift("0x0000000104f2c1a0"))).toBe(stackKey(swift("0x0000000100a1b2c0")));
    expect(own(swift("0x0000000104f2c1a0"))).toHaveLength(1);
    expect(
      stackKey("#0      Agent.step (package:shop/agent.dart:12:5)\n#1      run (dart:async/zone.dart:9)"),
    ).toBe("agent.dart:Agent.step");
  });
});

describe("stackKey", () => {
  test("without own frames that have names the message counts too: it starts with a mark", () => {
    expect(stackKey("Error\n at g (/x/node_modules/lib/i.js:2:2)")).toBe("~i.js:g");
    expect(
      stackKey("Error: connect\n    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1:1)"),
    ).toBe("~node:net:afterConnect");
    // The top of a script is no place either. What a model wrote has a message of its own each time.
    const top = (file: string) =>
      stackKey(`Traceback (most recent call last):\n  File "${file}", line 7, in <module>\nE: 1`);
    expect(top("<stdin>")).toBe("<stdin>:<module>");
    expect(top("/srv/run.py")).toBe("~run.py:<module>");
    // A package says more than the runtime below it.
    expect(stackKey("Error\n at f (node:fs:1:1)\n at g (/x/node_modules/lib/i.js:2:2)")).toBe("~i.js:g");
    expect(stackKey("Error\n at f (/app/a.js:1:2)")).toBe("a.js:f");
    expect(stackKey("no frames here")).toBe("");
  });

  test("holds five frames, no lines and no folders", () => {
    const frames = Array.from({ length: 9 }, (_, i) => ` at f${i} (/app/x${i}.js:1:1)`).join("\n");
    expect(stackKey(frames)).toBe("x0.js:f0|x1.js:f1|x2.js:f2|x3.js:f3|x4.js:f4");
    expect(stackKey(frames.replaceAll("/app/", "/other/build-77/").replaceAll(":1:1", ":9:9"))).toBe(
      stackKey(frames),
    );
    expect(names(`Error\n${" at f (/app/a.ts:1:1)\n".repeat(50)}`)).toEqual(["a.ts:f"]);
  });

  test("100,000 frames, a line of a megabyte and margins without end are read in bounded time", () => {
    const many = (line: (i: number) => string) =>
      Array.from({ length: 100_000 }, (_, i) => line(i)).join("\n");
    const hostile = [
      many((i) => `    at f${i} (/a/b${i}.js:1:2)`),
      `Traceback (most recent call last):\n${many((i) => `  File "/a/b${i}.py", line ${i}, in f${i}`)}`,
      many(() => `${" |".repeat(100)} +-+---------------- 1 ----------------`),
      many((i) => `   ${i}: ${"a::".repeat(80)}f`),
      `    at f (${"eval at x (".repeat(100_000)}`,
      `at ${"a.".repeat(500_000)}(`,
      `#0 ${"b(".repeat(500_000)}1): f()`,
      `${"a:1".repeat(400_000)}:in 'x`,
      "\u001b[31m".repeat(200_000),
      `Caused by: ${"a.".repeat(500_000)}`,
      "💥".repeat(400_000),
    ];
    const started = threadMs();
    for (const text of hostile) expect(stackKey(text).length).toBeLessThanOrEqual(1_500);
    expect(threadMs() - started).toBeLessThan(2_000);
  });
});
