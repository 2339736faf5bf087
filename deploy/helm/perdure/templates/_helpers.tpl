{{- define "perdure.name" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "perdure.image" -}}
{{- with .Values.image -}}
{{- if .digest }}{{ .repository }}@{{ .digest }}{{ else }}{{ .repository }}:{{ default $.Chart.AppVersion .tag }}{{ end -}}
{{- end -}}
{{- end -}}

{{/* Labels that select the pods of the release. */}}
{{- define "perdure.selector" -}}
app.kubernetes.io/name: perdure
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "perdure.labels" -}}
{{ include "perdure.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "perdure.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* What every pod has. */}}
{{- define "perdure.podBasics" -}}
automountServiceAccountToken: false
{{- with .Values.serviceAccount.name }}
serviceAccountName: {{ . }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext: {{- toYaml .Values.podSecurityContext | nindent 2 }}
{{- end -}}

{{/* The deployment of one role. Takes root, role, replicas (absent: an autoscaler decides), and mountsSecrets. */}}
{{- define "perdure.deployment" -}}
{{- $root := .root -}}
{{- $role := .role -}}
{{- $values := index $root.Values $role -}}
{{- $name := printf "%s-%s" (include "perdure.name" $root) $role -}}
{{- $probed := ternary "http" "metrics" (eq $role "api") -}}
{{- $secrets := ternary $root.Values.projectSecrets dict .mountsSecrets -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  labels:
    {{- include "perdure.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ $role }}
spec:
  {{- if not .isScaled }}
  replicas: {{ $values.replicas }}
  {{- end }}
  selector:
    matchLabels:
      {{- include "perdure.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ $role }}
  strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } }
  template:
    metadata:
      labels:
        {{- include "perdure.labels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ $role }}
      annotations:
        # Changed configuration replaces the pods.
        checksum/config: {{ toJson $root.Values.config | sha256sum }}
        {{- with $root.Values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      {{- include "perdure.podBasics" $root | nindent 6 }}
      terminationGracePeriodSeconds: {{ $values.terminationGracePeriodSeconds }}
      topologySpreadConstraints:
        {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
        - maxSkew: 1
          topologyKey: {{ . }}
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "perdure.selector" $root | nindent 14 }}
              app.kubernetes.io/component: {{ $role }}
        {{- end }}
      containers:
        - name: {{ $role }}
          image: {{ include "perdure.image" $root | quote }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          envFrom:
            - configMapRef: { name: {{ include "perdure.name" $root }} }
            - secretRef: { name: {{ default $root.Values.existingSecret $values.existingSecret }} }
          env:
            - { name: PERDURE_ROLES, value: {{ $role }} }
            - { name: HOST, value: "0.0.0.0" }
            - { name: METRICS_PORT, value: "9464" }
            {{- if eq $role "api" }}
            - { name: PORT, value: "8080" }
            {{- if $root.Values.hooks.enabled }}
            - { name: HOOKS_PORT, value: "8090" }
            {{- end }}
            {{- if $root.Values.camunda7.enabled }}
            - { name: CAMUNDA7_PORT, value: "8092" }
            {{- end }}
            {{- if $root.Values.codec.enabled }}
            - { name: CODEC_PORT, value: "8091" }
            {{- end }}
            {{- end }}
            {{- if $secrets }}
            - { name: SECRETS_PATH, value: /run/secrets/perdure }
            {{- end }}
            {{- range $variable, $value := $values.config }}
            - { name: {{ $variable }}, value: {{ $value | quote }} }
            {{- end }}
            {{- with $root.Values.extraEnv }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          ports:
            - { name: metrics, containerPort: 9464 }
            {{- if eq $role "api" }}
            - { name: http, containerPort: 8080 }
            {{- if $root.Values.hooks.enabled }}
            - { name: hooks, containerPort: 8090 }
            {{- end }}
            {{- if $root.Values.camunda7.enabled }}
            - { name: camunda7, containerPort: 8092 }
            {{- end }}
            {{- if $root.Values.codec.enabled }}
            - { name: codec, containerPort: 8091 }
            {{- end }}
            {{- end }}
          startupProbe: { httpGet: { path: /health, port: {{ $probed }} }, periodSeconds: 2, failureThreshold: 60 }
          livenessProbe: { httpGet: { path: /health, port: {{ $probed }} }, periodSeconds: 10, timeoutSeconds: 5 }
          readinessProbe: { httpGet: { path: /ready, port: {{ $probed }} }, periodSeconds: 5, timeoutSeconds: 4 }
          resources: {{- toYaml $values.resources | nindent 12 }}
          securityContext: {{- include "perdure.containerSecurity" $root | nindent 12 }}
          volumeMounts:
            - { name: tmp, mountPath: /tmp }
            {{- range $project, $secret := $secrets }}
            # The last part of the path is the id of the project.
            - { name: {{ sha256sum $project | trunc 12 | printf "secrets-%s" }}, mountPath: /run/secrets/perdure/{{ $project }}, readOnly: true }
            {{- end }}
            {{- with $root.Values.extraVolumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
      volumes:
        - { name: tmp, emptyDir: {} }
        {{- range $project, $secret := $secrets }}
        - { name: {{ sha256sum $project | trunc 12 | printf "secrets-%s" }}, secret: { secretName: {{ $secret }} } }
        {{- end }}
        {{- with $root.Values.extraVolumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
{{- end -}}

{{/* Takes root and role. */}}
{{- define "perdure.podDisruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "perdure.name" .root }}-{{ .role }}
  labels: {{- include "perdure.labels" .root | nindent 4 }}
spec:
  {{- toYaml (index .root.Values .role).podDisruptionBudget | nindent 2 }}
  selector:
    matchLabels:
      {{- include "perdure.selector" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .role }}
{{- end -}}

{{/* Takes root and role. */}}
{{- define "perdure.horizontalPodAutoscaler" -}}
{{- $scaling := (index .root.Values .role).autoscaling -}}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ include "perdure.name" .root }}-{{ .role }}
  labels: {{- include "perdure.labels" .root | nindent 4 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ include "perdure.name" .root }}-{{ .role }} }
  minReplicas: {{ $scaling.minReplicas }}
  maxReplicas: {{ $scaling.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target: { type: Utilization, averageUtilization: {{ $scaling.targetCPUUtilizationPercentage }} }
{{- end -}}
