// Everything that comes from the server is set as text, never as markup: a command is a stranger's.
'use strict';

const byId = id => document.getElementById(id);
const TOKEN = 'sandbox-token';
const EVERY = 2000;
const KEPT = 262144; // characters of each stream: a page that holds gigabytes hangs

function authorized(headers) {
  const token = sessionStorage.getItem(TOKEN);
  return token ? {...headers, Authorization: 'Bearer ' + token} : headers;
}

async function refusal(response) {
  if (response.status === 401) byId('token-section').hidden = false;
  const body = await response.json();
  return new Error(body.message || 'the server answered ' + response.status);
}

async function ask(path, method) {
  const response = await fetch(path, {method: method || 'GET', headers: authorized({}), cache: 'no-store'});
  // A degraded server tells its health by an error status.
  if (!response.ok && path !== '/health') throw await refusal(response);
  return response.json();
}

// Text in which a long path may break behind a slash, and nowhere else.
function put(node, text) {
  const parts = String(text === null || text === undefined ? '' : text).split(/(?<=\/)/);
  node.replaceChildren(...parts.flatMap(part => [document.createTextNode(part), document.createElement('wbr')]));
  return node;
}

function element(name, text, style) {
  const made = put(document.createElement(name), text);
  if (style) made.className = style;
  return made;
}

function cell(row, text, style) {
  return row.appendChild(element('td', text, style));
}

function rowHead(row, text) {
  const th = element('th', text);
  th.scope = 'row';
  row.appendChild(th);
}

function list(id, texts) {
  byId(id).replaceChildren(...texts.map(text => element('li', text)));
}

function seconds(millis) {
  return millis < 10000 ? (millis / 1000).toFixed(1) + ' s' : Math.round(millis / 1000) + ' s';
}

function outcome(run) {
  switch (run.termination) {
    case 'exited': return 'exited with ' + run.exit_code;
    case 'signaled': return 'killed by signal ' + run.signal;
    case 'timed_out': return 'timed out';
    case 'output_limit': return 'printed too much';
    case 'memory_limit': return 'used too much memory';
    case 'not_started': return 'did not start' + (run.error ? ': ' + run.error.message : '');
    default: return run.termination;
  }
}

function isGood(run) {
  return run.termination === 'exited' && run.exit_code === 0;
}

function denied(denial) {
  return denial.operation + ' ' + denial.path + ': ' + denial.rule + (denial.fix ? '; to allow it: ' + denial.fix : '');
}

async function showHealth() {
  const health = await ask('/health');
  const shell = health.shell_sandbox;
  byId('health').className = shell.available ? 'good' : 'bad';
  byId('health').textContent = health.status + ': '
    + (shell.available ? 'steps run in ' + shell.backend : 'nothing can run') + ' (' + shell.detail + ')';
}

async function showLive() {
  const processes = (await ask('/api/processes')).processes;
  const focused = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.step : null;
  const rows = processes.map(step => {
    const row = document.createElement('tr');
    cell(row, step.id, 'name');
    cell(row, step.command, 'command');
    cell(row, step.backend, 'name');
    cell(row, step.pid, 'name');
    cell(row, seconds(step.age_ms), 'name');
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Kill';
    button.dataset.step = String(step.id);
    button.setAttribute('aria-label', 'Kill step ' + step.id);
    button.addEventListener('click', () => kill(step.id));
    cell(row, '').appendChild(button);
    return row;
  });
  byId('live').replaceChildren(...rows);
  byId('live-none').hidden = rows.length > 0;
  const again = focused ? byId('live').querySelector('button[data-step="' + CSS.escape(focused) + '"]') : null;
  if (again) again.focus();
}

async function kill(id) {
  await told(async () => {
    await ask('/api/processes/' + id, 'DELETE');
    await showLive();
  });
}

async function showRuns() {
  const runs = (await ask('/api/runs')).runs;
  byId('runs').replaceChildren(...runs.map(run => {
    const row = document.createElement('tr');
    cell(row, run.ended_at.slice(0, 19).replace('T', ' '), 'name');
    cell(row, run.command, 'command');
    cell(row, outcome(run), (isGood(run) ? 'good' : 'bad') + ' name');
    cell(row, seconds(run.execution_time_ms), 'name');
    cell(row, run.denials.map(denied).join('\n'), run.denials.length ? 'bad words' : '');
    return row;
  }));
}

function networkText(network) {
  if (typeof network === 'string') return network === 'allow' ? 'on' : 'off';
  if (network.domains) return 'to ' + network.domains.join(', ');
  return 'TCP to ports ' + network.tcp_connect.join(', ')
    + (network.tcp_bind.length ? '; listening on ' + network.tcp_bind.join(', ') : '');
}

function limitsText(policy) {
  const limits = policy.limits;
  const known = [
    'time ' + seconds(policy.default_timeout_ms) + ' (at most ' + seconds(policy.max_timeout_ms) + ')',
    limits.memory_bytes === null ? '' : 'memory ' + limits.memory_bytes + ' bytes',
    limits.processes === null ? '' : limits.processes + ' processes',
    limits.file_size_bytes === null ? '' : 'file size ' + limits.file_size_bytes + ' bytes',
    limits.open_files === null ? '' : limits.open_files + ' open files',
    limits.cpu_time_ms === null ? '' : 'processor time ' + seconds(limits.cpu_time_ms)
  ];
  return known.filter(text => text).join(', ');
}

async function showPolicy() {
  const policy = await ask('/api/policy');
  const line = (access, text, from) => {
    const row = document.createElement('tr');
    rowHead(row, access);
    cell(row, text, 'command');
    cell(row, from, 'name');
    return row;
  };
  const ruleLine = rule => line(rule.access.replace('_', ' '), rule.path, rule.source);
  const isBaseline = rule => rule.source === 'baseline';
  byId('policy').replaceChildren(
    ...policy.rules.filter(rule => !isBaseline(rule)).map(ruleLine),
    line('network', networkText(policy.network), 'network'),
    line('limits', limitsText(policy), 'limits'),
    line('folders', 'home ' + policy.home + ', tmp ' + policy.tmp + ', proc ' + policy.proc, 'home, tmp, proc'));
  byId('baseline').replaceChildren(...policy.rules.filter(isBaseline).map(ruleLine));
  byId('policy-enforced').className = policy.refused ? 'bad' : '';
  put(byId('policy-enforced'), policy.refused
    || 'Commands start in ' + policy.work_dir + '. Enforced by ' + policy.backend
      + (policy.weaker.length ? ', with the gaps listed below.' : '.'));
  list('policy-notes', policy.weaker.concat(policy.notes));
}

async function showGuarantees() {
  const backends = (await ask('/api/guarantees')).backends;
  const first = byId('guarantees-head').firstElementChild;
  byId('guarantees-head').replaceChildren(first, ...backends.map(backend => {
    const th = element('th', backend.name);
    th.scope = 'col';
    return th;
  }));
  const names = backends.length ? Object.keys(backends[0].guarantees) : [];
  byId('guarantees').replaceChildren(...names.map(name => {
    const row = document.createElement('tr');
    rowHead(row, name);
    backends.forEach(backend => {
      const promise = backend.guarantees[name];
      cell(row, promise.held ? 'yes' : 'no: ' + promise.reason, promise.held ? 'good' : 'bad words');
    });
    return row;
  }));
}

// Server-sent events of an answer; EventSource cannot POST nor send a token.
async function events(response, received) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const whole = (rest + part.value).split('\n\n');
    rest = whole.pop();
    for (const event of whole) {
      const match = /^event: ([a-z]+)\ndata: ([^]*)$/.exec(event);
      if (match) received(match[1], JSON.parse(match[2]));
    }
  }
}

const kept = {stdout: 0, stderr: 0};

function clearOutput(stream) {
  kept[stream] = 0;
  byId(stream).replaceChildren();
  byId(stream + '-cut').hidden = true;
  byId(stream + '-part').hidden = true;
}

function addOutput(stream, text) {
  const pre = byId(stream);
  pre.append(text);
  kept[stream] += text.length;
  while (kept[stream] > KEPT && pre.childNodes.length > 1) {
    kept[stream] -= pre.firstChild.length;
    pre.firstChild.remove();
    byId(stream + '-cut').hidden = false;
  }
  byId(stream + '-part').hidden = false;
  pre.scrollTop = pre.scrollHeight;
}

function showPart(name, texts) {
  list(name, texts);
  byId(name + '-part').hidden = texts.length === 0;
}

function showEnd(text, good) {
  byId('end').className = good ? 'good' : 'bad';
  put(byId('end'), text);
}

function showResult(body) {
  const run = body.data;
  if (!run) {
    showEnd(body.message, false);
    return;
  }
  showEnd(outcome(run) + ' after ' + seconds(run.execution_time_ms) + ' in ' + run.backend, isGood(run));
  showPart('denials', run.denials.map(denied));
  showPart('notes', run.notes);
}

async function run(signal) {
  const order = {command: byId('command').value};
  if (byId('timeout').value) order.timeout = Number(byId('timeout').value);
  const response = await fetch('/api/execute?stream=true', {
    method: 'POST', headers: authorized({'Content-Type': 'application/json'}), body: JSON.stringify(order), signal: signal
  });
  if (!response.ok) throw await refusal(response);
  let ended = false;
  await events(response, (name, data) => {
    if (name === 'stdout' || name === 'stderr') {
      addOutput(name, data.text);
    } else {
      ended = true;
      showResult(data);
    }
  });
  if (!ended) throw new Error('the server went away before the command ended');
}

byId('run-form').addEventListener('submit', async event => {
  event.preventDefault();
  const stopper = new AbortController();
  const stop = () => stopper.abort();
  clearOutput('stdout');
  clearOutput('stderr');
  showPart('denials', []);
  showPart('notes', []);
  byId('end').className = '';
  byId('end').textContent = 'running\u2026';
  byId('run').disabled = true;
  byId('stop').disabled = false;
  byId('stop').addEventListener('click', stop);
  try {
    await run(stopper.signal);
  } catch (problem) {
    // The server ends the step of a client that went away.
    showEnd(stopper.signal.aborted ? 'stopped' : problem.message, false);
  } finally {
    byId('run').disabled = false;
    byId('stop').disabled = true;
    byId('stop').removeEventListener('click', stop);
  }
  refresh();
});

async function told(action) {
  try {
    await action();
    byId('message').textContent = '';
  } catch (problem) {
    byId('message').textContent = problem.message;
  }
}

async function refresh() {
  await told(async () => {
    await showHealth();
    await showLive();
    await showRuns();
  });
}

byId('token-form').addEventListener('submit', event => {
  event.preventDefault();
  sessionStorage.setItem(TOKEN, byId('token').value.trim());
  byId('token').value = '';
  byId('token-section').hidden = true;
  start();
});

byId('explain-form').addEventListener('submit', event => {
  event.preventDefault();
  told(async () => {
    const question = new URLSearchParams({path: byId('path').value, operation: byId('operation').value});
    const verdict = await ask('/api/explain?' + question);
    byId('verdict').className = verdict.allowed ? 'good' : 'bad';
    put(byId('verdict'), (verdict.allowed ? 'allowed: ' : 'denied: ') + verdict.reason
      + (verdict.fix ? '; to allow it: ' + verdict.fix : ''));
  });
});

async function start() {
  await refresh();
  await told(showPolicy);
  await told(showGuarantees);
}

start();
setInterval(() => { if (!document.hidden) refresh(); }, EVERY);
